import { Select, Switch, TextInput } from '@mantine/core'
import type { Import, ImportPatch } from '../../../../shared/schemas/imports.ts'
import { useChange } from '../../api/queries.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { Card } from '../../components/layout/card.tsx'
import { LocationPicker } from '../../components/pickers/location-picker.tsx'
import { SupplierPicker } from '../../components/pickers/supplier-picker.tsx'
import classes from './imports.module.css'

type Defaults = NonNullable<ImportPatch['defaults']>

/** What holds where the file says nothing. Each choice is stored at once and asks for another dry run. */
export function ImportDefaultsForm({ found: { id, defaults, sheets } }: { found: Import }) {
  const change = useChange('PUT /imports/:id')
  const set = (chosen: Defaults) => change.mutate({ params: { id }, body: { defaults: chosen } })
  const used = sheets.filter(({ kind }) => kind !== 'skip')
  const isUncertain = !defaults.dayOrder && used.some(({ isDayOrderCertain }) => !isDayOrderCertain)
  const hasOrders = used.some(({ kind }) => kind === 'purchase_orders')
  const hasProducts = used.some(({ kind }) => kind === 'supplier_products')
  const [first] = used
  return (
    <Card title="Import options">
      {isUncertain && (
        <Notice tone="waiting" title="Day or month first?">
          The file has dates such as 03/04/2024 only. Choose how to read them.
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
        <LocationPicker
          label="Location"
          value={defaults.locationId ?? null}
          onChange={(locationId) => set({ locationId })}
          placeholder="As in the file"
          isClearable
        />
        <TextInput
          type="date"
          label="Day of orders and counts"
          defaultValue={defaults.orderedOn ?? ''}
          onBlur={({ currentTarget: { value } }) =>
            value !== (defaults.orderedOn ?? '') && set({ orderedOn: value || null })
          }
        />
        <Select
          label="Dates"
          data={[
            { value: 'dmy', label: 'Day first: 31/12/2024' },
            { value: 'mdy', label: 'Month first: 12/31/2024' },
          ]}
          value={defaults.dayOrder ?? first?.dayOrder ?? null}
          onChange={(dayOrder) => set({ dayOrder: dayOrder as Defaults['dayOrder'] })}
          allowDeselect={false}
        />
        <Select
          label="Numbers"
          data={[
            { value: '.', label: '1,234.50' },
            { value: ',', label: '1.234,50' },
          ]}
          value={defaults.decimalSign ?? first?.decimalSign ?? null}
          onChange={(decimalSign) => set({ decimalSign: decimalSign as Defaults['decimalSign'] })}
          allowDeselect={false}
        />
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
