import { Select, SimpleGrid, Text, TextInput } from '@mantine/core'
import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'
import type { RejectOutcome } from '../../../../../shared/schemas/receipts.ts'
import type { FieldErrors } from '../../../components/forms/form-errors.ts'
import { NumberField } from '../../../components/forms/number-field.tsx'
import { QuantityField } from '../../../components/forms/quantity-field.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { ProductName } from '../../../components/tables/product-name.tsx'
import { RowTable } from '../../../components/tables/row-table.tsx'
import { emptyCount, extraOf, type LineCount, type LineCounts } from './line-counts.ts'

type Props = {
  order: PurchaseOrder
  counts: LineCounts
  errors: FieldErrors
  onChange: (lineItemId: number, change: Partial<LineCount>) => void
}

const outcomeNames: Record<RejectOutcome, string> = {
  replace: 'Supplier replaces them',
  credit: 'Supplier credits them',
}

/** What arrived of each line: accepted and rejected pieces, and the cost that was paid. */
export function ReceiveLines({ order, counts, errors, onChange }: Props) {
  const format = useFormat(order.currency)
  const countOf = (id: number) => counts[id] ?? emptyCount
  return (
    <RowTable
      label="Items to receive"
      rows={order.lineItems}
      keyOf={({ id }) => id}
      columns={[
        {
          name: 'Product',
          cell: ({ title, sku, variantId, bin }) => (
            <ProductName title={title} sku={sku} variantId={variantId} bin={bin} />
          ),
        },
        {
          name: 'Ordered',
          cell: ({ quantity, packs, packSize }) => (
            <div>
              {format.count(quantity)}
              {packSize > 1 && packs !== null && (
                <Text size="xs" c="dimmed">{`${format.count(packs)} × ${format.count(packSize)}`}</Text>
              )}
            </div>
          ),
          isNumber: true,
        },
        {
          name: 'Outstanding',
          cell: ({ outstandingQuantity }) => format.count(outstandingQuantity),
          isNumber: true,
        },
        {
          name: 'Received now',
          isNumber: true,
          cell: ({ id, title }) => (
            <QuantityField
              label={`Quantity received of ${title}`}
              value={countOf(id).accepted}
              onChange={(accepted) => onChange(id, { accepted })}
              placeholder="0"
              error={errors[`${id}.accepted`] ?? errors[`${id}.lineItemId`]}
            />
          ),
        },
        {
          name: 'Rejected',
          isNumber: true,
          cell: ({ id, title }) => (
            <QuantityField
              label={`Quantity rejected of ${title}`}
              value={countOf(id).rejected}
              onChange={(rejected) => onChange(id, { rejected })}
              placeholder="0"
              error={errors[`${id}.rejected`]}
            />
          ),
        },
        {
          name: 'Unit cost paid',
          isNumber: true,
          cell: ({ id, title, costPrice, discountPercent }) => (
            <NumberField
              aria-label={`Unit cost paid for ${title}`}
              value={countOf(id).unitCost}
              onChange={(unitCost) => onChange(id, { unitCost })}
              placeholder={
                costPrice === null ? 'Not known' : format.cost(costPrice * (1 - discountPercent / 100))
              }
              decimals={4}
              currency={order.currency}
              error={errors[`${id}.unitCost`]}
              w={110}
              ml="auto"
              styles={{ input: { textAlign: 'right' } }}
            />
          ),
        },
      ]}
      detailOf={(line) =>
        Number(countOf(line.id).rejected) > 0 ? (
          <Rejected
            line={line}
            count={countOf(line.id)}
            error={errors[`${line.id}.rejectReason`]}
            onChange={(change) => onChange(line.id, change)}
          />
        ) : null
      }
    />
  )
}

type RejectedProps = {
  line: PurchaseOrder['lineItems'][number]
  count: LineCount
  error: string | undefined
  onChange: (change: Partial<LineCount>) => void
}

/** Why pieces are rejected, and what the supplier does about them. */
function Rejected({ line: { title, outstandingQuantity }, count, error, onChange }: RejectedProps) {
  const { many } = useFormat()
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} p="xs">
      <TextInput
        label="Why rejected"
        aria-label={`Why pieces of ${title} are rejected`}
        placeholder="Damaged, wrong product …"
        maxLength={200}
        value={count.rejectReason}
        onChange={(event) => onChange({ rejectReason: event.currentTarget.value })}
        error={error}
      />
      <Select
        label="Rejected pieces"
        aria-label={`What happens to rejected pieces of ${title}`}
        description="Replaced pieces stay outstanding. Credited pieces are closed."
        data={Object.entries(outcomeNames).map(([value, label]) => ({ value, label }))}
        allowDeselect={false}
        value={count.rejectOutcome}
        onChange={(outcome) => outcome && onChange({ rejectOutcome: outcome as RejectOutcome })}
      />
      {extraOf(outstandingQuantity, count) > 0 && (
        <Text size="sm" c="#7a4a00" role="status">
          {many(extraOf(outstandingQuantity, count), 'piece')} more than outstanding, with the rejected ones.
        </Text>
      )}
    </SimpleGrid>
  )
}
