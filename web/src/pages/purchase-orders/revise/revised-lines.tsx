import { Text } from '@mantine/core'
import { useCallback, useState } from 'react'
import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'
import type { FieldErrors } from '../../../components/forms/form-errors.ts'
import { useFormat } from '../../../components/shop/format.ts'
import type { DraftLine } from '../form/draft.ts'
import { figuresOf, termsOf } from '../form/line-prices.ts'
import { LineTable } from '../form/line-table.tsx'
import { useLineTerms, useOrderTerms } from '../form/line-terms.ts'
import { DetailsSwitch } from '../form/order-lines.tsx'
import { sumsOf } from '../form/sums.ts'

type Props = {
  order: PurchaseOrder
  lines: readonly DraftLine[]
  errors: FieldErrors
  /** A stable function, because rows are memoized. */
  onChange: (change: (lines: readonly DraftLine[]) => readonly DraftLine[]) => void
}

/** The lines of a sent order with their subtotal before and after the revision. */
export function RevisedLines({ order, lines, errors, onChange }: Props) {
  const { supplierId, currency } = order
  const format = useFormat(currency)
  const [hasDetails, setDetails] = useState(false)
  const taxRate = useOrderTerms(supplierId, currency).data?.taxRate ?? 0
  const { terms } = useLineTerms(supplierId, currency, lines)
  const changeLine = useCallback(
    (key: number, change: Partial<DraftLine>) =>
      onChange((now) => now.map((line) => (line.key === key ? { ...line, ...change } : line))),
    [onChange],
  )
  const removeLine = useCallback(
    (key: number) => onChange((now) => now.filter((line) => line.key !== key)),
    [onChange],
  )
  if (lines.length === 0) {
    return <Text c="dimmed">Keep at least one line. To end the order, go back and close or cancel it.</Text>
  }
  const figures = lines.map((line) => figuresOf(line, termsOf(terms, line), taxRate))
  const { subtotal } = sumsOf(figures, format)
  return (
    <>
      <DetailsSwitch isOn={hasDetails} onChange={setDetails} />
      <LineTable
        lines={lines}
        currency={currency}
        terms={terms}
        taxRate={taxRate}
        errors={errors}
        hasDetails={hasDetails}
        onChange={changeLine}
        onRemove={removeLine}
      />
      {errors.lineItems && <Text c="var(--mantine-color-error)">{errors.lineItems}</Text>}
      <Text ta="right" fw={550}>
        Subtotal {format.money(subtotal)}
        {subtotal !== order.subtotal && `, before ${format.money(order.subtotal)}`}
      </Text>
    </>
  )
}
