import '@mantine/core/styles/FloatingIndicator.css'
import '@mantine/core/styles/SegmentedControl.css'
import { Alert, Button, Checkbox, Group, ScrollArea, SegmentedControl, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { StockLevel } from '../../../../../shared/schemas/stock-levels.ts'
import { ApiError } from '../../../api/api-error.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { fieldErrors } from '../../../components/forms/form-errors.ts'
import { FormLock } from '../../../components/forms/form-lock.tsx'
import { NumberField } from '../../../components/forms/number-field.tsx'
import { UnsavedGuard } from '../../../components/forms/unsaved-guard.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { Reasons } from '../../../components/shop/reasons.tsx'
import { RowTable } from '../../../components/tables/row-table.tsx'
import { changeOf, keyOf, stockAfter } from './adjustment.ts'
import { useBulkAdjustment } from './use-bulk-adjustment.ts'

export type BulkMode = 'set' | 'adjust'

type Props = {
  mode: BulkMode | null
  levels: readonly StockLevel[]
  onClose: () => void
  onDone: () => void
}

/** Changes the selected levels together; shows what each has now and then. */
export const BulkDialog = ({ mode, levels, ...props }: Props) => (
  <FormDialog
    opened={mode !== null}
    onClose={props.onClose}
    title={mode === 'set' ? 'Set quantity' : 'Adjust by'}
    size="lg"
  >
    {mode && <BulkForm mode={mode} levels={levels} {...props} />}
  </FormDialog>
)

const labels = {
  set: 'New quantity of each',
  add: 'Quantity to add to each',
  remove: 'Quantity to remove from each',
}

function BulkForm({ mode, levels, onClose, onDone }: Props & { mode: BulkMode }) {
  const { many } = useFormat()
  const [number, setNumber] = useState<number | ''>('')
  // as of one level: a quantity without a sign, since not every phone keyboard has a minus key
  const [way, setWay] = useState<'add' | 'remove'>('add')
  const [isOnHand, setOnHand] = useState(false)
  const [reason, setReason] = useState('')
  const [numberError, setNumberError] = useState<string>()
  // the rows of the list change with each sale, and a dialog shows those that were chosen
  const [chosen] = useState(levels)
  const change = useBulkAdjustment({ onDone })
  const isSet = mode === 'set'
  const kind = isSet ? 'set' : way
  const isRead = chosen.every(({ onHand }) => onHand !== null)
  const basis = isSet && isOnHand ? ('on_hand' as const) : ('available' as const)
  const isNumber = number !== '' && !Number.isNaN(number)
  const faults = fieldErrors(change.error)
  const isShort = change.error instanceof ApiError && change.error.code === 'insufficient_stock'
  const faultOf = (at: number) =>
    faults[`adjustments.${at}.delta`] ?? faults[`adjustments.${at}.quantity`] ?? undefined
  const reasonFault = Object.entries(faults).find(([name]) => name.endsWith('.reason'))?.[1]
  const rows = chosen.map((level, at) => {
    const after = isNumber ? stockAfter(level, changeOf(level, kind, number), basis) : null
    return { ...level, after, fault: faultOf(at) }
  })
  const edit = () => {
    setNumberError(undefined)
    // a change that is under way goes on, and its form stays locked
    if (change.error) change.reset()
  }
  const save = (allowNegative: boolean) => {
    if (change.isPending) return
    if (!isNumber) return setNumberError('Enter a quantity.')
    if (!isSet && number === 0) return setNumberError('Enter a quantity above 0.')
    change.save({ levels: chosen, kind, basis, number, reason: reason.trim(), allowNegative })
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save(false)
      }}
      noValidate
    >
      <Stack>
        {change.error && !isShort && !reasonFault && <ErrorNotice error={change.error} />}
        <FormLock isBusy={change.isPending}>
          {!isSet && (
            <SegmentedControl
              fullWidth
              aria-label="Adjustment"
              data={[
                { value: 'add', label: 'Add' },
                { value: 'remove', label: 'Remove' },
              ]}
              value={way}
              onChange={(value) => {
                edit()
                setWay(value as 'add' | 'remove')
              }}
            />
          )}
          <NumberField
            label={labels[kind]}
            data-autofocus
            max={1_000_000_000}
            value={number}
            error={numberError}
            onChange={(value) => {
              edit()
              setNumber(value)
            }}
          />
          {isSet && isRead && (
            <Checkbox
              label="Include committed and unavailable pieces"
              checked={isOnHand}
              onChange={({ currentTarget }) => {
                edit()
                setOnHand(currentTarget.checked)
              }}
            />
          )}
          <Reasons
            value={reason}
            error={reasonFault}
            onChange={(text) => {
              edit()
              setReason(text)
            }}
          />
        </FormLock>
        <Text role="status">{many(chosen.length, 'stock level')} selected</Text>
        <ChangedLevels rows={rows} />
        {isShort && (
          <NotEnoughStock
            rows={rows.filter(({ fault }) => fault).length}
            isBusy={change.isPending}
            onConfirm={() => save(true)}
          />
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" disabled={change.isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={change.isPending && !isShort} disabled={isShort}>
            Save
          </Button>
        </Group>
      </Stack>
      <UnsavedGuard when={(number !== '' || reason !== '') && !change.isSuccess} />
    </form>
  )
}

type ChangedLevel = StockLevel & { after: number | null; fault: string | undefined }

function ChangedLevels({ rows }: { rows: readonly ChangedLevel[] }) {
  const { count } = useFormat()
  return (
    <ScrollArea.Autosize mah={260} viewportProps={{ tabIndex: 0 }}>
      <RowTable
        label="What changes"
        rows={rows}
        keyOf={keyOf}
        columns={[
          { name: 'Product', cell: ({ title, sku }) => (sku ? `${title} · ${sku}` : title) },
          { name: 'Location', cell: ({ locationName }) => locationName },
          {
            name: 'Available',
            isNumber: true,
            cell: ({ currentStock, after, fault }) => (
              <>
                {after === null || after === currentStock
                  ? count(currentStock)
                  : `${count(currentStock)} → ${count(after)}`}
                {fault && (
                  <Text size="xs" c="red.9">
                    {fault}
                  </Text>
                )}
              </>
            ),
          },
        ]}
      />
    </ScrollArea.Autosize>
  )
}

type ShortProps = { rows: number; isBusy: boolean; onConfirm: () => void }

function NotEnoughStock({ rows, isBusy, onConfirm }: ShortProps) {
  const { many } = useFormat()
  return (
    <Alert color="yellow" variant="light" role="alert">
      <Text size="sm" c="#1c2024">
        Not enough stock for {many(rows, 'row')}. Nothing was changed. Going on leaves negative stock there
        until you recount.
      </Text>
      <Button mt="sm" size="xs" color="red.9" loading={isBusy} onClick={onConfirm}>
        Change anyway
      </Button>
    </Alert>
  )
}
