import '@mantine/core/styles/FloatingIndicator.css'
import '@mantine/core/styles/SegmentedControl.css'
import { SegmentedControl, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { BuyingBudget, BuyingBudgetInput } from '../../../../shared/schemas/buying-budgets.ts'
import { readQuery, useChange } from '../../api/queries.ts'
import type { FieldErrors } from '../../components/forms/form-errors.ts'
import { NumberField } from '../../components/forms/number-field.tsx'
import { RecordDialog, RecordForm, type RecordFormOf } from '../../components/forms/record-dialog.tsx'
import { changedFields, useRecordSave } from '../../components/forms/record-save.ts'
import { SupplierPicker } from '../../components/pickers/supplier-picker.tsx'
import { useFormat } from '../../components/shop/format.ts'
import type { Format } from '../../components/shop/formats.ts'
import { useSettings } from '../../components/shop/settings.tsx'
import { dayOf } from '../../components/shop/shop-days.ts'
import { monthsAround } from './budget-months.ts'
import { periodText } from './budget-text.ts'

type Props = {
  /** The budget to edit, `new`, or null: the dialog is closed. */
  edited: BuyingBudget | 'new' | null
  onClose: () => void
}

export const BudgetDialog = ({ edited, onClose }: Props) => (
  <RecordDialog title="Budget" addTitle="Create a budget" edited={edited} onClose={onClose}>
    {({ record, ...form }) => <BudgetForm budget={record} {...form} />}
  </RecordDialog>
)

/** A new budget begins with the month of today in the shop's time zone. */
const draftOf = (budget: BuyingBudget | null, today: string) => ({
  name: budget?.name ?? '',
  amount: (budget?.amount ?? '') as number | '',
  supplierId: budget?.supplierId ?? null,
  isMonth: budget === null || budget.month !== null,
  month: budget?.month ?? today.slice(0, 7),
  startsOn: budget?.startsOn ?? '',
  endsOn: budget?.endsOn ?? '',
})
type Draft = ReturnType<typeof draftOf>

const missingIn = ({ name, amount, isMonth, month, startsOn, endsOn }: Draft): FieldErrors => ({
  ...(name.trim() === '' && { name: 'Enter a name.' }),
  ...(amount === '' && { amount: 'Enter what may be spent.' }),
  ...(isMonth && month === '' && { month: 'Choose a month.' }),
  ...(!isMonth && startsOn === '' && { startsOn: 'Choose the first day.' }),
  ...(!isMonth && endsOn === '' && { endsOn: 'Choose the last day.' }),
  ...(!isMonth &&
    startsOn !== '' &&
    endsOn !== '' &&
    endsOn < startsOn && { endsOn: 'The last day must not be before the first.' }),
})

type FormProps = Omit<RecordFormOf<BuyingBudget>, 'record'> & { budget: BuyingBudget | null }

function BudgetForm({ budget, onTake, onClose }: FormProps) {
  const format = useFormat()
  const today = dayOf(new Date().toISOString(), useSettings().timeZone)
  const [draft, setDraft] = useState(() => draftOf(budget, today))
  const set = (change: Partial<Draft>) => setDraft((now) => ({ ...now, ...change }))
  const { name, amount, supplierId, isMonth, month, startsOn, endsOn } = draft
  const { errors, theirs, unread, hasErrors, isComplete, handlers } = useRecordSave({
    draft,
    missing: missingIn,
    latest: budget ? readQuery('GET /buying-budgets/:id', { params: { id: budget.id } }) : undefined,
    done: 'Budget saved',
    onClose,
  })
  const create = useChange('POST /buying-budgets', { ...handlers, isForm: true })
  const update = useChange('PUT /buying-budgets/:id', handlers)
  const save = (version = budget?.version) => {
    if (!isComplete()) return
    const body: BuyingBudgetInput = {
      ...{ name, supplierId, amount: Number(amount) },
      ...(isMonth ? { month } : { startsOn, endsOn }),
    }
    if (budget && version) update.mutate({ params: { id: budget.id }, body: { ...body, version } })
    else create.mutate({ body })
  }
  return (
    <RecordForm
      noun="budget"
      isBusy={create.isPending || update.isPending}
      error={unread ?? create.error ?? update.error}
      hasFieldErrors={hasErrors}
      differences={budget && theirs && changedFields(shownOf(budget, format), shownOf(theirs, format))}
      onKeep={() => save(theirs?.version)}
      onTake={() => theirs && onTake(theirs)}
      onSave={() => save()}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        placeholder="Spring goods"
        value={name}
        maxLength={80}
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
        error={errors.name}
        data-autofocus
      />
      <NumberField
        label={`Amount in ${format.currency}`}
        description="Orders that are sent in the period use it up, with their taxes."
        max={1_000_000_000}
        decimals={format.decimals}
        currency={format.currency}
        value={amount}
        onChange={(value) => set({ amount: value })}
        error={errors.amount}
      />
      <SupplierPicker
        label="Supplier"
        value={supplierId}
        onChange={(id) => set({ supplierId: id })}
        placeholder="All suppliers"
        isClearable
        known={budget?.supplierId ? { id: budget.supplierId, name: budget.supplierName ?? '' } : undefined}
        error={errors.supplierId}
      />
      <BudgetPeriod {...{ draft, set, errors, today }} />
    </RecordForm>
  )
}

type PeriodProps = {
  draft: Draft
  set: (change: Partial<Draft>) => void
  errors: FieldErrors
  today: string
}

/** A month, or any days. */
function BudgetPeriod({ draft, set, errors, today }: PeriodProps) {
  const format = useFormat()
  const { isMonth, month, startsOn, endsOn } = draft
  return (
    <>
      <SegmentedControl
        aria-label="Period"
        data={[
          { value: 'month', label: 'A month' },
          { value: 'dates', label: 'From and to' },
        ]}
        value={isMonth ? 'month' : 'dates'}
        onChange={(value) => set({ isMonth: value === 'month' })}
      />
      {isMonth ? (
        <Select
          label="Month"
          data={monthsAround(month, today).map((value) => ({ value, label: format.month(value) }))}
          value={month}
          onChange={(value) => set({ month: value ?? '' })}
          allowDeselect={false}
          checkIconPosition="right"
          error={errors.month}
        />
      ) : (
        <>
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
            value={endsOn}
            onChange={({ currentTarget }) => set({ endsOn: currentTarget.value })}
            error={errors.endsOn}
          />
        </>
      )}
    </>
  )
}

const shownOf = (budget: BuyingBudget, format: Format): Record<string, string> => ({
  Name: budget.name,
  Amount: format.money(budget.amount),
  Supplier: budget.supplierName ?? 'all suppliers',
  Period: periodText(budget, format),
})
