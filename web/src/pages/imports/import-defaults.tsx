import { Select, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import { isCurrency } from '../../../../shared/schemas/currency-codes.ts'
import type { Import, ImportPatch, ImportQuestion } from '../../../../shared/schemas/imports.ts'
import { useChange } from '../../api/queries.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { Card } from '../../components/layout/card.tsx'
import { LocationPicker } from '../../components/pickers/location-picker.tsx'
import { SupplierPicker } from '../../components/pickers/supplier-picker.tsx'
import classes from './imports.module.css'

type Defaults = NonNullable<ImportPatch['defaults']>

const placedKinds: readonly string[] = ['purchase_orders', 'stock_counts', 'adjustments']

type Choice = { value: string; label: string }

const dayOrders: Choice[] = [
  { value: 'dmy', label: 'Day first: 31/12/2024' },
  { value: 'mdy', label: 'Month first: 12/31/2024' },
]
const decimalSigns: Choice[] = [
  { value: '.', label: '1,234.50' },
  { value: ',', label: '1.234,50' },
]
const labelOf = (choices: readonly Choice[], value: string) =>
  choices.find((choice) => choice.value === value)?.label ?? ''

/** Values for what the file does not say. The form saves each choice at once, and the worker then makes another dry run. */
export function ImportDefaultsForm({ found: { id, defaults, sheets, questions } }: { found: Import }) {
  const change = useChange('PUT /imports/:id')
  const set = (chosen: Defaults) => change.mutate({ params: { id }, body: { defaults: chosen } })
  const used = sheets.filter(({ kind }) => kind !== 'skip')
  const openSheet = (wanted: ImportQuestion['about']) => {
    const question = questions.find(({ about }) => about === wanted)
    return used.find(({ name }) => name === question?.sheet)
  }
  const uncertainDays = openSheet('day_order')
  const uncertainSign = openSheet('decimal_sign')
  const hasOrders = used.some(({ kind }) => kind === 'purchase_orders')
  const hasProducts = used.some(({ kind }) => kind === 'supplier_products')
  // other kinds have neither a location of their own nor a day
  const hasPlaces = used.some(({ kind }) => placedKinds.includes(kind))
  // the answer changes nothing in lists whose cells say how to read them
  const hasOpenDays = used.some(({ isDayOrderCertain }) => !isDayOrderCertain)
  const hasOpenSign = used.some(({ isDecimalSignCertain }) => isDecimalSignCertain === false)
  const others = used.length > 1 ? ' Your choice does not change lists that can be read in only one way.' : ''
  if (!hasPlaces && !hasProducts && !hasOpenDays && !hasOpenSign)
    return change.error && <ErrorNotice error={change.error} />
  return (
    <Card title="Import options">
      {uncertainDays && (
        <Notice tone="waiting" title="Day or month first?">
          Every date in {uncertainDays.name} can be read in two ways, such as 03/04/2024. Choose how to read
          them.{others}
        </Notice>
      )}
      {uncertainSign && (
        <Notice tone="waiting" title="Decimal point or comma?">
          {uncertainSign.name} has numbers such as 2,345 or 2.345, which can be read in two ways. Choose how
          to read them.{others}
        </Notice>
      )}
      {change.error && <ErrorNotice error={change.error} />}
      <div className={classes.filters}>
        {(hasOrders || hasProducts) && (
          <SupplierPicker
            label={hasOrders ? 'Supplier of the orders' : 'Supplier of the products'}
            value={defaults.supplierId ?? null}
            onChange={(supplierId) => set({ supplierId })}
            placeholder="As in the file"
            isClearable
          />
        )}
        {hasPlaces && (
          <>
            <LocationPicker
              label="Location"
              value={defaults.locationId ?? null}
              onChange={(locationId) => set({ locationId })}
              placeholder="As in the file"
              isClearable
            />
            <TextInput
              type="date"
              label="Day of orders, counts and adjustments"
              defaultValue={defaults.orderedOn ?? ''}
              onBlur={({ currentTarget: { value } }) =>
                value !== (defaults.orderedOn ?? '') && set({ orderedOn: value || null })
              }
            />
          </>
        )}
        {hasOrders && <CurrencyField value={defaults.currency ?? ''} onChange={set} />}
        {hasOpenDays && (
          <Select
            label="Dates"
            data={dayOrders}
            placeholder={uncertainDays && `Probably ${labelOf(dayOrders, uncertainDays.dayOrder)}`}
            value={defaults.dayOrder ?? null}
            onChange={(dayOrder) => set({ dayOrder: dayOrder as Defaults['dayOrder'] })}
            allowDeselect={false}
          />
        )}
        {hasOpenSign && (
          <Select
            label="Numbers"
            data={decimalSigns}
            placeholder={uncertainSign && `Probably ${labelOf(decimalSigns, uncertainSign.decimalSign)}`}
            value={defaults.decimalSign ?? null}
            onChange={(decimalSign) => set({ decimalSign: decimalSign as Defaults['decimalSign'] })}
            allowDeselect={false}
          />
        )}
        {hasOrders && (
          <Switch
            label="Keep the order numbers of the file, and number new orders after the largest"
            checked={defaults.continueNumbers ?? false}
            onChange={({ currentTarget: { checked } }) => set({ continueNumbers: checked })}
          />
        )}
      </div>
    </Card>
  )
}

/** The currency of orders whose rows name none, as its three letters. */
function CurrencyField({ value, onChange }: { value: string; onChange: (chosen: Defaults) => void }) {
  const [text, setText] = useState(value)
  const typed = text.trim().toUpperCase()
  const isValid = typed === '' || isCurrency(typed)
  return (
    <TextInput
      label="Currency"
      value={text}
      placeholder="As in the file"
      error={!isValid && 'Type the three letters of a currency, such as EUR.'}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={() => isValid && typed !== value && onChange({ currency: typed || null })}
    />
  )
}
