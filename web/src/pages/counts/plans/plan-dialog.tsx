import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { CountPlan, CountPlanInput } from '../../../../../shared/schemas/count-plans.ts'
import { useChange } from '../../../api/queries.ts'
import type { FieldErrors } from '../../../components/forms/form-errors.ts'
import { NumberField } from '../../../components/forms/number-field.tsx'
import { RecordDialog, RecordForm } from '../../../components/forms/record-dialog.tsx'
import { useRecordSave } from '../../../components/forms/record-save.ts'
import { LocationPicker } from '../../../components/pickers/location-picker.tsx'
import { abcClasses } from '../../reports/filter.ts'
import { BlindField } from '../blind-field.tsx'

type Props = {
  /** The plan to edit, `new`, or null: the dialog is closed. */
  edited: CountPlan | 'new' | null
  onClose: () => void
}

export const PlanDialog = ({ edited, onClose }: Props) => (
  <RecordDialog title="Count plan" addTitle="Create a count plan" edited={edited} onClose={onClose}>
    {(form) => <PlanForm plan={form.record} onClose={form.onClose} />}
  </RecordDialog>
)

const draftOf = (plan: CountPlan | null) => ({
  locationId: plan?.locationId ?? null,
  abcClass: plan ? plan.abcClass : ('A' as const),
  everyDays: (plan?.everyDays ?? 7) as number | '',
  maxItems: (plan?.maxItems ?? '') as number | '',
  blind: plan?.blind ?? false,
  nextOn: plan?.nextOn ?? '',
})
type Draft = ReturnType<typeof draftOf>

const missingIn = ({ locationId, everyDays }: Draft): FieldErrors => ({
  ...(locationId === null && { locationId: 'Choose a location.' }),
  ...(everyDays === '' && { everyDays: 'Enter a number of days.' }),
})

function PlanForm({ plan, onClose }: { plan: CountPlan | null; onClose: () => void }) {
  const [draft, setDraft] = useState(() => draftOf(plan))
  const set = (change: Partial<Draft>) => setDraft((now) => ({ ...now, ...change }))
  const { locationId, abcClass, everyDays, maxItems, blind, nextOn } = draft
  // a plan has no version: the last save counts
  const { errors, hasErrors, isComplete, handlers } = useRecordSave({
    draft,
    missing: missingIn,
    done: 'Count plan saved',
    onClose,
  })
  const create = useChange('POST /count-plans', { ...handlers, isForm: true })
  const update = useChange('PUT /count-plans/:id', handlers)
  const save = () => {
    if (!isComplete() || locationId === null) return
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
    <RecordForm
      noun="plan"
      isBusy={create.isPending || update.isPending}
      error={create.error ?? update.error}
      hasFieldErrors={hasErrors}
      onSave={save}
      onClose={onClose}
    >
      <LocationPicker
        label="Location"
        placeholder="Choose a location"
        value={locationId}
        onChange={(id) => set({ locationId: id })}
        error={errors.locationId}
      />
      <Select
        label="Products"
        data={[
          { value: 'all', label: 'All products' },
          ...abcClasses.map((value) => ({ value, label: `Class ${value}` })),
        ]}
        value={abcClass ?? 'all'}
        onChange={(value) => set({ abcClass: abcClasses.find((known) => known === value) ?? null })}
        allowDeselect={false}
        checkIconPosition="right"
      />
      <NumberField
        label="Days between counts"
        min={1}
        max={366}
        value={everyDays}
        onChange={(value) => set({ everyDays: value })}
        error={errors.everyDays}
      />
      <NumberField
        label="Max products per count"
        description="The products that were counted longest ago. Leave empty for all."
        min={1}
        max={10_000}
        value={maxItems}
        onChange={(value) => set({ maxItems: value })}
        error={errors.maxItems}
      />
      <TextInput
        type="date"
        label="Next count on"
        description={plan ? undefined : 'Leave empty for the next night.'}
        value={nextOn}
        onChange={(event) => set({ nextOn: event.currentTarget.value })}
        error={errors.nextOn}
      />
      <BlindField value={blind} onChange={(isOn) => set({ blind: isOn })} />
    </RecordForm>
  )
}
