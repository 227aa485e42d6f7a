import { Button, Group, Modal, NumberInput, SegmentedControl, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { StockLevel } from '../../../../../shared/schemas/stock-levels.ts'
import { ApiError } from '../../../api/api-error.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { fieldErrors } from '../../../components/forms/form-errors.ts'
import { UnsavedGuard } from '../../../components/forms/unsaved-guard.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { ProductName } from '../../../components/tables/product-name.tsx'
import { afterMove, type LevelListing, moveOf, type Way } from './adjustment.ts'
import { BelowZero } from './below-zero.tsx'
import { Reasons } from './reasons.tsx'
import { useAdjusting } from './use-adjusting.ts'

type Props = { level: StockLevel | null; list: LevelListing; onClose: () => void }

/** Changes what there is of a product at a location. `list` is where the change is shown at once. */
export const AdjustDialog = ({ level, list, onClose }: Props) => (
  <Modal opened={level !== null} onClose={onClose} title="Adjust stock">
    {level && <AdjustForm level={level} list={list} onClose={onClose} />}
  </Modal>
)

type Values = { way: Way; number: number | ''; reason: string }

const ways: Record<Way, string> = { add: 'Add', take: 'Take off', set: 'Set to' }
const labels: Record<Way, string> = {
  add: 'How many more',
  take: 'How many fewer',
  set: 'How many there are',
}

function AdjustForm({ level, list, onClose }: Props & { level: StockLevel }) {
  const form = useForm<Values>({
    initialValues: { way: 'add', number: '', reason: '' },
    // another number is another question: what was refused of the one before does not matter any more
    onValuesChange: () => {
      form.clearErrors()
      if (adjusting.error) adjusting.forget()
    },
  })
  const adjusting = useAdjusting(level, list, {
    onDone: onClose,
    onRefused: (error) => form.setErrors(errorsOf(error)),
  })
  const { way, number, reason } = form.values
  const { error } = adjusting
  const isShort = error instanceof ApiError && error.code === 'insufficient_stock'
  const save = (allowNegative: boolean) => {
    if (adjusting.isPending) return
    if (number === '') return form.setFieldError('number', 'Say how many.')
    adjusting.adjust({ way, number, reason: reason.trim(), allowNegative })
  }
  return (
    <form onSubmit={form.onSubmit(() => save(false))} noValidate>
      <Stack>
        <ProductName title={level.title} sku={[level.sku, level.locationName].filter(Boolean).join(' · ')} />
        {error && Object.keys(form.errors).length === 0 && <ErrorNotice error={error} />}
        <SegmentedControl
          fullWidth
          aria-label="How"
          data={Object.entries(ways).map(([value, label]) => ({ value, label }))}
          {...form.getInputProps('way')}
        />
        <NumberInput
          label={labels[way]}
          data-autofocus
          allowDecimal={false}
          allowNegative={false}
          max={1_000_000_000}
          {...form.getInputProps('number')}
          onChange={(value) => form.setFieldValue('number', value === '' ? '' : Number(value))}
        />
        <Outcome level={level} way={way} number={number} />
        <Reasons
          value={reason}
          error={form.errors.reason}
          onChange={(words) => form.setFieldValue('reason', words)}
        />
        {isShort && <BelowZero isBusy={adjusting.isPending} onAllow={() => save(true)} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Not now
          </Button>
          <Button type="submit" loading={adjusting.isPending && !isShort} disabled={isShort}>
            Save
          </Button>
        </Group>
      </Stack>
      <UnsavedGuard when={form.isDirty() && !adjusting.isSuccess} />
    </form>
  )
}

/** What there will be, before anything is saved. */
function Outcome({ level, way, number }: { level: StockLevel; way: Way; number: number | '' }) {
  const { count } = useFormat()
  const now = count(level.currentStock)
  const after = number === '' ? level.currentStock : afterMove(level.currentStock, moveOf(level, way, number))
  return (
    <Text role="status">
      In stock: {after === level.currentStock ? now : `${now} → `}
      {after !== level.currentStock && <strong>{count(after)}</strong>}
    </Text>
  )
}

/** The API speaks of lines, and here there is one. Faults of what is no field here have a notice. */
function errorsOf(error: unknown): Partial<Record<keyof Values, string>> {
  const errors = fieldErrors(error)
  const number = errors['adjustments.0.delta'] ?? errors['adjustments.0.quantity']
  const reason = errors['adjustments.0.reason']
  return { ...(number && { number }), ...(reason && { reason }) }
}
