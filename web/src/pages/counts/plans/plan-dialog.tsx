import { Button, Checkbox, Group, Modal, NumberInput, Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { CountPlan, CountPlanInput } from '../../../../../shared/schemas/count-plans.ts'
import { useChange } from '../../../api/queries.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { notifyDone } from '../../../components/feedback/notify.ts'
import { type FieldErrors, fieldErrors } from '../../../components/forms/form-errors.ts'
import { LocationPicker } from '../../../components/pickers/location-picker.tsx'
import { abcClasses } from '../list/sheet-fields.tsx'

type Props = {
  /** The plan to edit, `new`, or null: the dialog is closed. */
  edited: CountPlan | 'new' | null
  onClose: () => void
}

export const PlanDialog = ({ edited, onClose }: Props) => (
  <Modal
    opened={edited !== null}
    onClose={onClose}
    title={edited === 'new' ? 'Add a count plan' : 'Count plan'}
  >
    {edited !== null && <PlanForm plan={edited === 'new' ? null : edited} onClose={onClose} />}
  </Modal>
)

function PlanForm({ plan, onClose }: { plan: CountPlan | null; onClose: () => void }) {
  const [locationId, setLocationId] = useState(plan?.locationId ?? null)
  const [abcClass, setAbcClass] = useState<CountPlan['abcClass']>(plan ? plan.abcClass : 'A')
  const [everyDays, setEveryDays] = useState<number | string>(plan?.everyDays ?? 7)
  const [maxItems, setMaxItems] = useState<number | string>(plan?.maxItems ?? '')
  const [blind, setBlind] = useState(plan?.blind ?? false)
  const [nextOn, setNextOn] = useState(plan?.nextOn ?? '')
  const [errors, setErrors] = useState<FieldErrors>({})
  const options = {
    onDone: () => {
      onClose()
      notifyDone('Count plan saved')
    },
    onRefused: (error: unknown) => setErrors(fieldErrors(error)),
  }
  const create = useChange('POST /count-plans', options)
  const update = useChange('PUT /count-plans/:id', options)
  const error = create.error ?? update.error
  const save = () => {
    const missing: FieldErrors = {
      ...(locationId === null && { locationId: 'Choose a location.' }),
      ...(everyDays === '' && { everyDays: 'Enter a number of days.' }),
    }
    setErrors(missing)
    if (locationId === null || everyDays === '') return
    const body: CountPlanInput = {
      locationId,
      everyDays: Number(everyDays),
      abcClass,
      blind,
      maxItems: maxItems === '' ? null : Number(maxItems),
      ...(nextOn !== '' && { nextOn }),
    }
    if (plan) update.mutate({ params: { id: plan.id }, body })
    else create.mutate({ body })
  }
  return (
    <Stack>
      {error && Object.keys(errors).length === 0 && <ErrorNotice error={error} />}
      <LocationPicker
        label="Location"
        placeholder="Choose a location"
        value={locationId}
        onChange={setLocationId}
        error={errors.locationId}
      />
      <Select
        label="Products"
        data={[
          { value: 'all', label: 'All products' },
          ...abcClasses.map((value) => ({ value, label: `Class ${value}` })),
        ]}
        value={abcClass ?? 'all'}
        onChange={(value) => setAbcClass(abcClasses.find((known) => known === value) ?? null)}
        allowDeselect={false}
        checkIconPosition="right"
      />
      <NumberInput
        label="Days between counts"
        min={1}
        max={366}
        allowDecimal={false}
        value={everyDays}
        onChange={setEveryDays}
        error={errors.everyDays}
      />
      <NumberInput
        label="Max products per count"
        description="The products that were counted longest ago. Leave empty for all."
        min={1}
        max={10_000}
        allowDecimal={false}
        hideControls
        value={maxItems}
        onChange={setMaxItems}
        error={errors.maxItems}
      />
      <TextInput
        type="date"
        label="Next count on"
        description={plan ? undefined : 'Leave empty for the next night.'}
        value={nextOn}
        onChange={(event) => setNextOn(event.currentTarget.value)}
        error={errors.nextOn}
      />
      <Checkbox
        label="Count blind"
        description="Hides expected quantities from everyone until counting is finished."
        checked={blind}
        onChange={(event) => setBlind(event.currentTarget.checked)}
      />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button onClick={save} loading={create.isPending || update.isPending}>
          Save plan
        </Button>
      </Group>
    </Stack>
  )
}
