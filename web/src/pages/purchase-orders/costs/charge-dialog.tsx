import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'
import { Checkbox, Group, MultiSelect, Select, Stack, Text, TextInput } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { useState } from 'react'
import type { Charge, ChargeBasis, ChargeKind } from '../../../../../shared/schemas/charges.ts'
import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'
import { readQuery, useChange } from '../../../api/queries.ts'
import { notifyDone } from '../../../components/feedback/notify.ts'
import { fieldErrors } from '../../../components/forms/form-errors.ts'
import { NumberField } from '../../../components/forms/number-field.tsx'
import { RecordDialog, RecordForm, type RecordFormOf } from '../../../components/forms/record-dialog.tsx'
import { useTheirs } from '../../../components/forms/their-changes.ts'
import { useFormat } from '../../../components/shop/format.ts'
import { useLastRateText } from '../../../components/shop/last-rate.ts'
import { isCurrency } from '../form/line-terms.ts'
import { differencesOf } from '../form/order-differences.ts'
import { round } from '../form/sums.ts'
import { basisNames, kindNames } from './charge-names.ts'

const optionsOf = (names: Record<string, string>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }))

type Props = { order: PurchaseOrder; charge: Charge | 'new' | null; onClose: () => void }

/** A charge with the order that has it. */
type Stored = { order: PurchaseOrder; charge: Charge }

/** Adds or edits a charge. */
export const ChargeDialog = ({ order, charge, onClose }: Props) => (
  <RecordDialog<Stored>
    title="Edit the charge"
    addTitle="Add a charge"
    edited={charge === 'new' ? charge : charge && { order, charge }}
    onClose={onClose}
  >
    {({ record, ...form }) => (
      <ChargeForm order={record?.order ?? order} stored={record?.charge ?? null} {...form} />
    )}
  </RecordDialog>
)

type Values = ReturnType<typeof valuesOf>
type Form = UseFormReturnType<Values>

const valuesOf = (stored: Charge | null, shopCurrency: string) => ({
  kind: stored?.kind ?? ('freight' as ChargeKind),
  amount: stored?.amount ?? ('' as number | ''),
  currency: stored?.currency ?? shopCurrency,
  rate: stored?.isRateTyped && stored.currency !== shopCurrency ? stored.rate : ('' as number | ''),
  taxRate: stored?.taxRate || ('' as number | ''),
  basis: stored?.basis ?? ('value' as ChargeBasis),
  lineItemIds: (stored?.lineItemIds ?? []).map(String),
  shares: Object.fromEntries(
    (stored?.shares ?? []).map(({ lineItemId, amount }) => [lineItemId, amount]),
  ) as Record<string, number | ''>,
  isEstimate: stored?.isEstimate ?? false,
})

/** What the API is sent, without the rate. */
function inputOf(values: Values & { amount: number }, shopCurrency: string) {
  const { rate: _, taxRate, lineItemIds, shares, currency, ...fields } = values
  const given = Object.entries(shares).flatMap(([id, share]) =>
    share === '' || share === 0 ? [] : [{ lineItemId: Number(id), amount: share }],
  )
  return {
    ...fields,
    currency: currency || shopCurrency,
    taxRate: taxRate === '' ? 0 : taxRate,
    lineItemIds: lineItemIds.length > 0 && fields.basis !== 'manual' ? lineItemIds.map(Number) : null,
    ...(fields.basis === 'manual' && { shares: given }),
  }
}

/** Whether fields of the dialog show all errors of the last save. */
function areFieldErrors(form: Form): boolean {
  const { basis } = form.values
  // the lines of a charge have one input, or one each: an error of another path is shown by none
  const ofFields = [
    'kind',
    'amount',
    'currency',
    'rate',
    'taxRate',
    'basis',
    basis === 'manual' ? 'shares' : 'lineItemIds',
  ]
  const faults = Object.keys(form.errors)
  return faults.length > 0 && faults.every((name) => ofFields.includes(name))
}

type FormProps = Omit<RecordFormOf<Stored>, 'record'> & { order: PurchaseOrder; stored: Charge | null }

function ChargeForm({ order: shownOrder, stored: shownCharge, onTake, onClose }: FormProps) {
  const format = useFormat()
  const { currency: shopCurrency, rate: formatRate } = format
  // as they were when the dialog was opened: the version of a later order would hide what another user changed meanwhile
  const [{ order, stored }] = useState({ order: shownOrder, stored: shownCharge })
  const form = useForm({ initialValues: valuesOf(stored, shopCurrency) })
  const { theirs, unread, readTheirs } = useTheirs(
    readQuery('GET /purchase-orders/:id', { params: { id: order.id } }),
  )
  const theirCharge = stored && theirs?.charges.find(({ id }) => id === stored.id)
  const callbacks = {
    onDone: () => {
      onClose()
      notifyDone('Charge saved')
    },
    onRefused: async (error: unknown) => {
      form.setErrors(fieldErrors(error))
      await readTheirs(error)
    },
  }
  const add = useChange('POST /purchase-orders/:id/charges', { ...callbacks, isForm: true })
  const change = useChange('PUT /purchase-orders/:id/charges/:chargeId', callbacks)
  const { basis, currency } = form.values
  const shown = isCurrency(currency) ? currency : shopCurrency
  const isForeign = shown !== shopCurrency
  const lastRateText = useLastRateText(shown)
  const ofOrder = shown === order.currency ? order.rate : null
  /** What an empty rate means: that of the order, or the one that the charge had. */
  const emptyRate = ofOrder !== null ? { rate: null } : stored?.currency === shown && { rate: stored.rate }
  const emptyRateText =
    ofOrder !== null
      ? `Leave empty for the rate of the order, ${formatRate(ofOrder)}`
      : stored?.currency === shown
        ? `Leave empty to keep ${formatRate(stored.rate)}`
        : lastRateText
  const save = ({ version } = order, current = stored) =>
    form.onSubmit((values) => {
      if (values.amount === '') return form.setErrors({ amount: 'Enter the amount.' })
      const body = {
        ...inputOf({ ...values, amount: values.amount }, shopCurrency),
        ...(isForeign && values.rate !== '' && { rate: values.rate }),
        // without a rate the API keeps a typed one
        ...(current?.isRateTyped && values.rate === '' && emptyRate),
      }
      if (stored) change.mutate({ params: { id: order.id, chargeId: stored.id }, body: { ...body, version } })
      else add.mutate({ params: { id: order.id }, body })
    })()
  const isClaimed = areFieldErrors(form)
  return (
    <RecordForm
      noun="charge"
      versioned="order"
      isBusy={add.isPending || change.isPending}
      error={unread ?? add.error ?? change.error}
      hasFieldErrors={isClaimed}
      differences={theirs && stored && differencesOf(order, theirs, format)}
      isEditable={theirCharge !== undefined}
      onKeep={() => theirs && theirCharge && save(theirs, theirCharge)}
      onTake={() => (theirs && theirCharge ? onTake({ order: theirs, charge: theirCharge }) : onClose())}
      onSave={() => save()}
      onClose={onClose}
    >
      <Select
        label="Kind"
        data={optionsOf(kindNames)}
        allowDeselect={false}
        {...form.getInputProps('kind')}
      />
      <Group grow align="flex-start">
        <NumberField
          label="Amount"
          withAsterisk
          data-autofocus
          decimals={4}
          currency={shown}
          {...form.getInputProps('amount')}
        />
        <TextInput
          label="Currency"
          placeholder={shopCurrency}
          maxLength={3}
          {...form.getInputProps('currency')}
          onChange={(event) => {
            form.setFieldValue('currency', event.currentTarget.value.toUpperCase())
            // a rate belongs to its currency
            form.setFieldValue('rate', '')
          }}
        />
      </Group>
      {isForeign && (
        <NumberField
          label={`1 ${shown} in ${shopCurrency}`}
          description={emptyRateText}
          decimals={8}
          {...form.getInputProps('rate')}
        />
      )}
      <Select
        label="Split among the lines"
        data={optionsOf(basisNames)}
        allowDeselect={false}
        {...form.getInputProps('basis')}
      />
      {basis === 'manual' ? <Shares {...{ form, order, shown }} /> : <Lines {...{ form, order }} />}
      <NumberField
        label="Tax rate"
        description="The product cost does not include this tax"
        decimals={3}
        max={100}
        suffix="%"
        placeholder="0%"
        {...form.getInputProps('taxRate')}
      />
      <Checkbox
        label="This is an estimate"
        description="Correct it when the bill arrives"
        {...form.getInputProps('isEstimate', { type: 'checkbox' })}
      />
    </RecordForm>
  )
}

type LineProps = { form: Form; order: PurchaseOrder }

const Lines = ({ form, order }: LineProps) => (
  <MultiSelect
    label="Lines"
    placeholder={form.values.lineItemIds.length === 0 ? 'All lines' : undefined}
    data={order.lineItems.map(({ id, title, sku }) => ({
      value: String(id),
      label: sku ? `${title} · ${sku}` : title,
    }))}
    searchable
    clearable
    {...form.getInputProps('lineItemIds')}
  />
)

function Shares({ form, order, shown }: LineProps & { shown: string }) {
  const { moneyIn } = useFormat()
  const { amount, shares } = form.values
  // in floating point, 0.1 + 0.2 is not 0.3
  const assigned = round(
    Object.values(shares).reduce<number>((sum, share) => sum + (share === '' ? 0 : share), 0),
    4,
  )
  return (
    <Stack gap="xs">
      {order.lineItems.map(({ id, title }) => (
        <NumberField
          key={id}
          label={title}
          decimals={4}
          currency={shown}
          {...form.getInputProps(`shares.${id}`)}
        />
      ))}
      {form.errors.shares && <Text c="red.9">{form.errors.shares}</Text>}
      {amount !== '' && (
        <Text size="sm" c={assigned === amount ? 'dimmed' : 'red.9'}>
          {moneyIn(assigned, shown)} of {moneyIn(amount, shown)} split
        </Text>
      )}
    </Stack>
  )
}
