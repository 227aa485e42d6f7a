import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'
import { Checkbox, Group, MultiSelect, Select, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import type { Charge, ChargeBasis, ChargeKind } from '../../../../../shared/schemas/charges.ts'
import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'
import { useChange } from '../../../api/queries.ts'
import { notifyDone } from '../../../components/feedback/notify.ts'
import { DialogForm } from '../../../components/forms/dialog-form.tsx'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { fieldErrors } from '../../../components/forms/form-errors.ts'
import { NumberField } from '../../../components/forms/number-field.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { useLastRateText } from '../../../components/shop/last-rate.ts'
import { isCurrency } from '../form/line-terms.ts'
import { round } from '../form/sums.ts'

export const kindNames: Record<ChargeKind, string> = {
  freight: 'Freight',
  duty: 'Duty',
  insurance: 'Insurance',
  handling: 'Handling',
  other: 'Other',
}

export const basisNames: Record<ChargeBasis, string> = {
  value: 'By value',
  quantity: 'By pieces',
  weight: 'By weight',
  manual: 'By hand',
}

const optionsOf = (names: Record<string, string>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }))

type Props = { order: PurchaseOrder; charge: Charge | 'new' | null; onClose: () => void }

/** Adds or edits a charge. */
export const ChargeDialog = ({ order, charge, onClose }: Props) => (
  <FormDialog
    opened={charge !== null}
    onClose={onClose}
    title={charge === 'new' ? 'Add a charge' : 'Edit the charge'}
  >
    {charge !== null && <ChargeForm order={order} charge={charge} onClose={onClose} />}
  </FormDialog>
)

function ChargeForm({ order, charge, onClose }: Props & { charge: Charge | 'new' }) {
  const { currency: shopCurrency, moneyIn, rate: formatRate } = useFormat()
  const stored = charge === 'new' ? null : charge
  // that of the order when the dialog was opened
  const [version] = useState(order.version)
  const form = useForm({
    initialValues: {
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
    },
  })
  const callbacks = {
    onDone: () => {
      onClose()
      notifyDone('Charge saved')
    },
    onRefused: (error: unknown) => form.setErrors(fieldErrors(error)),
  }
  const add = useChange('POST /purchase-orders/:id/charges', { ...callbacks, isForm: true })
  const change = useChange('PUT /purchase-orders/:id/charges/:chargeId', callbacks)
  const { basis, currency, amount, shares } = form.values
  const shown = isCurrency(currency) ? currency : shopCurrency
  const isForeign = shown !== shopCurrency
  const lastRateText = useLastRateText(shown)
  const ofOrder = shown === order.currency ? order.rate : null
  const save = form.onSubmit(({ amount, rate, taxRate, lineItemIds, shares, currency, ...fields }) => {
    if (amount === '') return form.setErrors({ amount: 'Enter the amount.' })
    const given = Object.entries(shares).flatMap(([id, share]) =>
      share === '' || share === 0 ? [] : [{ lineItemId: Number(id), amount: share }],
    )
    const body = {
      ...fields,
      amount,
      currency: currency || shopCurrency,
      taxRate: taxRate === '' ? 0 : taxRate,
      lineItemIds: lineItemIds.length > 0 && fields.basis !== 'manual' ? lineItemIds.map(Number) : null,
      ...(fields.basis === 'manual' && { shares: given }),
      ...(isForeign && rate !== '' && { rate }),
      // a typed rate that was cleared is that of the order again
      ...(stored?.isRateTyped && ofOrder !== null && rate === '' && { rate: null }),
    }
    if (stored) change.mutate({ params: { id: order.id, chargeId: stored.id }, body: { ...body, version } })
    else add.mutate({ params: { id: order.id }, body })
  })
  // in floating point, 0.1 + 0.2 is not 0.3
  const assigned = round(
    Object.values(shares).reduce<number>((sum, share) => sum + (share === '' ? 0 : share), 0),
    4,
  )
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
  const isClaimed = faults.length > 0 && faults.every((name) => ofFields.includes(name))
  return (
    <DialogForm
      isBusy={add.isPending || change.isPending}
      error={!isClaimed && (add.error ?? change.error)}
      onSave={save}
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
          description={
            ofOrder !== null
              ? `Leave empty for the rate of the order, ${formatRate(ofOrder)}`
              : stored?.currency === shown
                ? `Leave empty to keep ${formatRate(stored.rate)}`
                : lastRateText
          }
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
      {basis === 'manual' ? (
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
      ) : (
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
      )}
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
    </DialogForm>
  )
}
