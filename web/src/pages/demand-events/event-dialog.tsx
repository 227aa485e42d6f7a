import { Select, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DemandEventInput, DemandEventRecord } from '../../../../shared/schemas/demand-events.ts'
import { readQuery, useChange } from '../../api/queries.ts'
import type { FieldErrors } from '../../components/forms/form-errors.ts'
import { NumberField } from '../../components/forms/number-field.tsx'
import { RecordDialog, RecordForm, type RecordFormOf } from '../../components/forms/record-dialog.tsx'
import { changedFields, useRecordSave } from '../../components/forms/record-save.ts'
import { VariantPicker } from '../../components/pickers/variant-picker.tsx'
import { useFormat } from '../../components/shop/format.ts'
import type { Format } from '../../components/shop/formats.ts'
import { datesText, productsOf, salesText } from './event-text.ts'

type Props = {
  /** The event to edit, `new`, or null: the dialog is closed. */
  edited: DemandEventRecord | 'new' | null
  onClose: () => void
}

export const EventDialog = ({ edited, onClose }: Props) => (
  <RecordDialog title="Event" addTitle="Create an event" edited={edited} onClose={onClose}>
    {({ record, ...form }) => <EventForm event={record} {...form} />}
  </RecordDialog>
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

const draftOf = (event: DemandEventRecord | null) => ({
  name: event?.name ?? '',
  kind: event?.kind ?? ('event' as const),
  scope: event?.scope ?? ('shop' as const),
  scopeValue: event?.scopeValue ?? null,
  variantId: event?.variantId ? { variantId: event.variantId, title: event.variantTitle ?? '' } : null,
  startsOn: event?.startsOn ?? '',
  endsOn: event?.endsOn ?? '',
  factor: (event?.factor ?? '') as number | '',
  growthPercent: (event?.growthPercent ?? '') as number | '',
})
type Draft = ReturnType<typeof draftOf>

const isNamed = ({ scope }: Draft) => scope === 'product_type' || scope === 'vendor'

function missingIn(draft: Draft): FieldErrors {
  const { name, kind, scope, scopeValue, variantId, startsOn, endsOn, factor, growthPercent } = draft
  return {
    ...(name.trim() === '' && { name: 'Enter a name.' }),
    ...(startsOn === '' && { startsOn: 'Choose the first day.' }),
    ...(kind === 'event' && endsOn === '' && { endsOn: 'Choose the last day.' }),
    ...(startsOn !== '' &&
      endsOn !== '' &&
      endsOn < startsOn && { endsOn: 'The last day must not be before the first.' }),
    ...(kind === 'event' && factor === '' && { factor: 'Enter a number, as in 2 for twice as much.' }),
    ...(kind === 'growth' && growthPercent === '' && { growthPercent: 'Enter a percentage.' }),
    ...(isNamed(draft) && !scopeValue && { scopeValue: 'Choose one.' }),
    ...(scope === 'variant' && variantId === null && { variantId: 'Choose a product.' }),
  }
}

const inputOf = (draft: Draft): DemandEventInput => ({
  name: draft.name,
  kind: draft.kind,
  scope: draft.scope,
  scopeValue: isNamed(draft) ? draft.scopeValue : null,
  variantId: draft.scope === 'variant' ? (draft.variantId?.variantId ?? null) : null,
  startsOn: draft.startsOn,
  endsOn: draft.endsOn === '' ? null : draft.endsOn,
  factor: draft.kind === 'event' ? Number(draft.factor) : null,
  growthPercent: draft.kind === 'growth' ? Number(draft.growthPercent) : null,
})

type FormProps = Omit<RecordFormOf<DemandEventRecord>, 'record'> & { event: DemandEventRecord | null }

function EventForm({ event, onTake, onClose }: FormProps) {
  const format = useFormat()
  const [draft, setDraft] = useState(() => draftOf(event))
  const set = (change: Partial<Draft>) => setDraft((now) => ({ ...now, ...change }))
  const { name, kind, startsOn, endsOn, factor, growthPercent } = draft
  const { errors, theirs, unread, hasErrors, isComplete, handlers } = useRecordSave({
    draft,
    missing: missingIn,
    latest: event ? readQuery('GET /demand-events/:id', { params: { id: event.id } }) : undefined,
    done: 'Event saved. The forecasts are being computed again',
    onClose,
  })
  const create = useChange('POST /demand-events', { ...handlers, isForm: true })
  const update = useChange('PUT /demand-events/:id', handlers)
  const save = (version = event?.version) => {
    if (!isComplete()) return
    const body = inputOf(draft)
    if (event && version) update.mutate({ params: { id: event.id }, body: { ...body, version } })
    else create.mutate({ body })
  }
  return (
    <RecordForm
      noun="event"
      isBusy={create.isPending || update.isPending}
      error={unread ?? create.error ?? update.error}
      hasFieldErrors={hasErrors}
      differences={event && theirs && changedFields(shownOf(event, format), shownOf(theirs, format))}
      onKeep={() => save(theirs?.version)}
      onTake={() => theirs && onTake(theirs)}
      onSave={() => save()}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        placeholder="Summer sale"
        value={name}
        maxLength={80}
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
        error={errors.name}
        data-autofocus
      />
      <Select
        label="What changes"
        data={[...kinds]}
        value={kind}
        onChange={(value) => set({ kind: value === 'growth' ? 'growth' : 'event' })}
        allowDeselect={false}
        checkIconPosition="right"
      />
      {kind === 'event' ? (
        <NumberField
          label="Sales compared with usual (factor)"
          description="2 is twice as much, 0.5 is half, 0 is none."
          min={0}
          max={100}
          decimals={4}
          value={factor}
          onChange={(value) => set({ factor: value })}
          error={errors.factor}
        />
      ) : (
        <NumberField
          label="Growth in percent"
          description="10 is a tenth more than before the first day, -10 a tenth less."
          min={-100}
          max={1000}
          decimals={2}
          value={growthPercent}
          onChange={(value) => set({ growthPercent: value })}
          error={errors.growthPercent}
        />
      )}
      <TextInput
        type="date"
        label="First day"
        value={startsOn}
        onChange={({ currentTarget }) => set({ startsOn: currentTarget.value })}
        error={errors.startsOn}
      />
      <TextInput
        type="date"
        label="Last day"
        description={kind === 'growth' ? 'Empty: without an end.' : undefined}
        value={endsOn}
        onChange={({ currentTarget }) => set({ endsOn: currentTarget.value })}
        error={errors.endsOn}
      />
      <EventProducts {...{ draft, set, errors }} />
    </RecordForm>
  )
}

type ProductProps = { draft: Draft; set: (change: Partial<Draft>) => void; errors: FieldErrors }

/** The products whose sales change. */
function EventProducts({ draft, set, errors }: ProductProps) {
  const { scope, scopeValue, variantId: picked } = draft
  const { data: facets } = useQuery(readQuery('GET /products/facets', {}))
  return (
    <>
      <Select
        label="Products"
        data={[...scopes]}
        value={scope}
        onChange={(value) =>
          set({ scope: scopes.find((known) => known.value === value)?.value ?? 'shop', scopeValue: null })
        }
        allowDeselect={false}
        checkIconPosition="right"
      />
      {isNamed(draft) && (
        <Select
          label={scope === 'vendor' ? 'Vendor' : 'Product type'}
          data={[...((scope === 'vendor' ? facets?.vendors : facets?.productTypes) ?? [])]}
          value={scopeValue}
          onChange={(value) => set({ scopeValue: value })}
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
          <VariantPicker
            label={picked ? 'Choose another product' : 'Product'}
            onPick={({ variantId, title }) => set({ variantId: { variantId, title } })}
            error={errors.variantId}
          />
        </div>
      )}
    </>
  )
}

const shownOf = (event: DemandEventRecord, format: Format): Record<string, string> => ({
  Name: event.name,
  Products: productsOf(event),
  Dates: datesText(event, format),
  Sales: salesText(event, format),
})
