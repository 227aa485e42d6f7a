import '@mantine/core/styles/FloatingIndicator.css'
import '@mantine/core/styles/SegmentedControl.css'
import { Button, Checkbox, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
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
import { ProductName } from '../../../components/tables/product-name.tsx'
import { type AdjustMode, changeOf, type LevelListQuery, stockAfter } from './adjustment.ts'
import { NegativeStockNotice } from './negative-stock-notice.tsx'
import { useAdjustment } from './use-adjustment.ts'

type Props = { level: StockLevel | null; list: LevelListQuery; onClose: () => void }

/** Adjusts one stock level. `list` shows the change before the API answers. */
export const AdjustDialog = ({ level, list, onClose }: Props) => (
  <FormDialog opened={level !== null} onClose={onClose} title="Adjust stock">
    {level && <AdjustForm level={level} list={list} onClose={onClose} />}
  </FormDialog>
)

type Values = { mode: AdjustMode; isOnHand: boolean; number: number | ''; reason: string }

const modes: Record<AdjustMode, string> = { add: 'Add', remove: 'Remove', set: 'Set to' }
const labels: Record<AdjustMode, string> = {
  add: 'Quantity to add',
  remove: 'Quantity to remove',
  set: 'New quantity',
}

function AdjustForm({ level, list, onClose }: Props & { level: StockLevel }) {
  const form = useForm<Values>({
    initialValues: { mode: 'add', isOnHand: false, number: '', reason: '' },
    // the error belongs to the numbers that were sent
    onValuesChange: () => {
      form.clearErrors()
      if (adjustment.error) adjustment.reset()
    },
  })
  const adjustment = useAdjustment(level, list, {
    onDone: onClose,
    onRefused: (error) => form.setErrors(errorsOf(error)),
  })
  const { mode, number, reason } = form.values
  const isOnHand = mode === 'set' && form.values.isOnHand
  const { error } = adjustment
  const isShort = error instanceof ApiError && error.code === 'insufficient_stock'
  const save = (allowNegative: boolean) => {
    if (adjustment.isPending) return
    if (number === '' || Number.isNaN(number)) return form.setFieldError('number', 'Enter a quantity.')
    adjustment.adjust({ mode, isOnHand, number, reason: reason.trim(), allowNegative })
  }
  return (
    <form onSubmit={form.onSubmit(() => save(false))} noValidate>
      <Stack>
        <ProductName title={level.title} sku={[level.sku, level.locationName].filter(Boolean).join(' · ')} />
        {error && Object.keys(form.errors).length === 0 && <ErrorNotice error={error} />}
        <FormLock isBusy={adjustment.isPending}>
          <SegmentedControl
            fullWidth
            aria-label="Adjustment"
            data={Object.entries(modes).map(([value, label]) => ({ value, label }))}
            {...form.getInputProps('mode')}
          />
          <NumberField
            label={labels[mode]}
            data-autofocus
            max={1_000_000_000}
            {...form.getInputProps('number')}
          />
          {mode === 'set' && level.onHand !== null && (
            <Checkbox
              label="Include committed and unavailable pieces"
              {...form.getInputProps('isOnHand', { type: 'checkbox' })}
            />
          )}
          <Outcome level={level} after={resultOf(level, form.values)} />
          <Reasons
            value={reason}
            error={form.errors.reason}
            onChange={(text) => form.setFieldValue('reason', text)}
          />
        </FormLock>
        {isShort && (
          <NegativeStockNotice
            stock={level.currentStock}
            result={resultOf(level, form.values)}
            isBusy={adjustment.isPending}
            onAllow={() => save(true)}
          />
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" disabled={adjustment.isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={adjustment.isPending && !isShort} disabled={isShort}>
            Save
          </Button>
        </Group>
      </Stack>
      <UnsavedGuard when={form.isDirty() && !adjustment.isSuccess} />
    </form>
  )
}

/** The available stock after the adjustment. */
function resultOf(level: StockLevel, { mode, isOnHand, number }: Values): number {
  if (number === '' || Number.isNaN(number)) return level.currentStock
  const basis = mode === 'set' && isOnHand ? 'on_hand' : 'available'
  return stockAfter(level, changeOf(level, mode, number), basis)
}

/** The available stock before and after the adjustment, and what lies on the shelf then. */
function Outcome({ level, after }: { level: StockLevel; after: number }) {
  const { count } = useFormat()
  const { currentStock, onHand } = level
  return (
    <Text role="status">
      Available: {after === currentStock ? count(currentStock) : `${count(currentStock)} → `}
      {after !== currentStock && <strong>{count(after)}</strong>}
      {onHand !== null && `, on hand: ${count(onHand + after - currentStock)}`}
    </Text>
  )
}

/** The API reports faults by line, and this form sends one. Faults without a field here show in the notice. */
function errorsOf(error: unknown): Partial<Record<keyof Values, string>> {
  const errors = fieldErrors(error)
  const number = errors['adjustments.0.delta'] ?? errors['adjustments.0.quantity']
  const reason = errors['adjustments.0.reason']
  return { ...(number && { number }), ...(reason && { reason }) }
}
