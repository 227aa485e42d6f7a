import { Button, Group, Modal, NumberInput, Select, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DemandEventInput, DemandEventRecord } from '../../../../shared/schemas/demand-events.ts'
import { readQuery, useChange } from '../../api/queries.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { notifyDone } from '../../components/feedback/notify.ts'
import { type FieldErrors, fieldErrors } from '../../components/forms/form-errors.ts'
import { VariantPicker } from '../../components/pickers/variant-picker.tsx'
import { useFormat } from '../../components/shop/format.ts'

type Props = {
  /** The event to edit, `new`, or null: the dialog is closed. */
  edited: DemandEventRecord | 'new' | null
  onClose: () => void
}

export const EventDialog = ({ edited, onClose }: Props) => (
  <Modal opened={edited !== null} onClose={onClose} title={edited === 'new' ? 'Add an event' : 'Event'}>
    {edited !== null && <EventForm event={edited === 'new' ? null : edited} onClose={onClose} />}
  </Modal>
)

const kinds = [
  { value: 'event', label: 'Event: these days sell more or less' },
  { value: 'growth', label: 'Growth: the future sells more or less' },
] as const
const scopes = [
  { value: 'shop', label: 'All products' },
  { value: 'product_type', label: 'A product type' },
  { value: 'vendor', label: 'A vendor' },
  { value: 'variant', label: 'One product' },
] as const

function EventForm({ event, onClose }: { event: DemandEventRecord | null; onClose: () => void }) {
  const { decimalSeparator } = useFormat()
  const [name, setName] = useState(event?.name ?? '')
  const [kind, setKind] = useState<DemandEventInput['kind']>(event?.kind ?? 'event')
  const [scope, setScope] = useState<DemandEventInput['scope']>(event?.scope ?? 'shop')
  const [scopeValue, setScopeValue] = useState(event?.scopeValue ?? null)
  const [picked, setPicked] = useState(
    event?.variantId ? { variantId: event.variantId, title: event.variantTitle ?? '' } : null,
  )
  const [startsOn, setStartsOn] = useState(event?.startsOn ?? '')
  const [endsOn, setEndsOn] = useState(event?.endsOn ?? '')
  const [factor, setFactor] = useState<number | string>(event?.factor ?? '')
  const [growth, setGrowth] = useState<number | string>(event?.growthPercent ?? '')
  const [errors, setErrors] = useState<FieldErrors>({})
  const { data: facets } = useQuery(readQuery('GET /products/facets', {}))
  const options = {
    onDone: () => {
      onClose()
      notifyDone('Event saved. The forecasts are being computed again')
    },
    onRefused: (error: unknown) => setErrors(fieldErrors(error)),
  }
  const create = useChange('POST /demand-events', options)
  const update = useChange('PUT /demand-events/:id', options)
  const error = create.error ?? update.error
  const isNamed = scope === 'product_type' || scope === 'vendor'
  const save = () => {
    const missing: FieldErrors = {
      ...(name.trim() === '' && { name: 'Enter a name.' }),
      ...(startsOn === '' && { startsOn: 'Choose the first day.' }),
      ...(kind === 'event' && endsOn === '' && { endsOn: 'Choose the last day.' }),
      ...(startsOn !== '' &&
        endsOn !== '' &&
        endsOn < startsOn && { endsOn: 'The last day must not be before the first.' }),
      ...(kind === 'event' && factor === '' && { factor: 'Enter a number, as in 2 for twice as much.' }),
      ...(kind === 'growth' && growth === '' && { growthPercent: 'Enter a percentage.' }),
      ...(isNamed && !scopeValue && { scopeValue: 'Choose one.' }),
      ...(scope === 'variant' && picked === null && { variantId: 'Choose a product.' }),
    }
    setErrors(missing)
    if (Object.keys(missing).length > 0) return
    const body: DemandEventInput = {
      name,
      kind,
      scope,
      scopeValue: isNamed ? scopeValue : null,
      variantId: scope === 'variant' ? (picked?.variantId ?? null) : null,
      startsOn,
      endsOn: endsOn === '' ? null : endsOn,
      factor: kind === 'event' ? Number(factor) : null,
      growthPercent: kind === 'growth' ? Number(growth) : null,
    }
    if (event) update.mutate({ params: { id: event.id }, body: { ...body, version: event.version } })
    else create.mutate({ body })
  }
  return (
    <Stack>
      {error && Object.keys(errors).length === 0 && <ErrorNotice error={error} />}
      <TextInput
        label="Name"
        placeholder="Summer sale"
        value={name}
        maxLength={80}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        error={errors.name}
        data-autofocus
      />
      <Select
        label="What changes"
        data={[...kinds]}
        value={kind}
        onChange={(value) => setKind(value === 'growth' ? 'growth' : 'event')}
        allowDeselect={false}
        checkIconPosition="right"
      />
      {kind === 'event' ? (
        <NumberInput
          label="Sales by usual sales"
          description="2 is twice as much, 0.5 is half, 0 is none."
          min={0}
          max={100}
          decimalScale={4}
          decimalSeparator={decimalSeparator}
          hideControls
          value={factor}
          onChange={setFactor}
          error={errors.factor}
        />
      ) : (
        <NumberInput
          label="Growth in percent"
          description="10 adds a tenth to the forecast; -10 takes a tenth off."
          min={-100}
          max={1000}
          decimalScale={2}
          decimalSeparator={decimalSeparator}
          hideControls
          value={growth}
          onChange={setGrowth}
          error={errors.growthPercent}
        />
      )}
      <TextInput
        type="date"
        label="First day"
        value={startsOn}
        onChange={({ currentTarget }) => setStartsOn(currentTarget.value)}
        error={errors.startsOn}
      />
      <TextInput
        type="date"
        label="Last day"
        description={kind === 'growth' ? 'Empty: without an end.' : undefined}
        value={endsOn}
        onChange={({ currentTarget }) => setEndsOn(currentTarget.value)}
        error={errors.endsOn}
      />
      <Select
        label="Products"
        data={[...scopes]}
        value={scope}
        onChange={(value) => {
          setScope(scopes.find((known) => known.value === value)?.value ?? 'shop')
          setScopeValue(null)
        }}
        allowDeselect={false}
        checkIconPosition="right"
      />
      {isNamed && (
        <Select
          label={scope === 'vendor' ? 'Vendor' : 'Product type'}
          data={[...((scope === 'vendor' ? facets?.vendors : facets?.productTypes) ?? [])]}
          value={scopeValue}
          onChange={setScopeValue}
          searchable
          limit={100}
          nothingFoundMessage="No results"
          checkIconPosition="right"
          error={errors.scopeValue}
        />
      )}
      {scope === 'variant' && (
        <div>
          {picked && <Text fw={600}>{picked.title}</Text>}
          <VariantPicker label={picked ? 'Choose another product' : 'Product'} onPick={setPicked} />
          {errors.variantId && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {errors.variantId}
            </Text>
          )}
        </div>
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button onClick={save} loading={create.isPending || update.isPending}>
          Save event
        </Button>
      </Group>
    </Stack>
  )
}
