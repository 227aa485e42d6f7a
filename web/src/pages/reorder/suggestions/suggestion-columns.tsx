import { Text } from '@mantine/core'
import type { ReorderSuggestion } from '../../../../../shared/schemas/reorder-suggestions.ts'
import type { Format } from '../../../components/shop/formats.ts'
import { dayOf, endOfDay } from '../../../components/shop/shop-days.ts'
import type { Column } from '../../../components/tables/row-table.tsx'
import { Badge } from '../../../components/tables/status-badge.tsx'
import type { OpenRows } from './row-toggle.tsx'
import { SuggestedProduct } from './suggested-product.tsx'

type Options = {
  format: Format
  timeZone: string
  isSelected: (suggestion: ReorderSuggestion) => boolean
  /** Must keep its identity, since the rows are memoized. */
  onSelect: (ruleId: number, isSelected: boolean) => void
  rows: OpenRows
}

/** Fixed widths, so that the columns align across the tables of the suppliers. */
export function suggestionColumns({
  format,
  timeZone,
  isSelected,
  onSelect,
  rows,
}: Options): Column<ReorderSuggestion>[] {
  // order-by dates are days in the shop's time zone
  const today = dayOf(new Date().toISOString(), timeZone)
  const dayName = (day: string) => format.day(endOfDay(day, timeZone))
  return [
    {
      name: 'Product',
      cell: (suggestion) => (
        <SuggestedProduct
          suggestion={suggestion}
          isSelected={isSelected(suggestion)}
          onSelect={onSelect}
          isOpen={rows.isOpen(suggestion.ruleId)}
          onToggle={rows.toggle}
        />
      ),
    },
    {
      name: 'Available',
      cell: ({ currentStock, gapOn }) => (
        <div>
          {format.count(currentStock)}
          {gapOn !== null && <Small>{`Runs out ${format.calendarDay(gapOn)}`}</Small>}
        </div>
      ),
      isNumber: true,
      width: 96,
    },
    {
      name: 'Incoming',
      cell: ({ onOrder, inTransit, lateOnOrder }) => (
        <div>
          {format.count(onOrder + inTransit)}
          {onOrder + inTransit > 0 && <Small>{incomingText(onOrder, inTransit)}</Small>}
          {lateOnOrder > 0 && <Badge look={[`${format.count(lateOnOrder)} late`, 'bad']} />}
        </div>
      ),
      isNumber: true,
      width: 116,
    },
    {
      name: 'Available + incoming',
      cell: ({ position, inTimePosition }) => (
        <div>
          {format.count(inTimePosition)}
          {inTimePosition < position && <Small>without late</Small>}
        </div>
      ),
      isNumber: true,
      width: 100,
    },
    {
      name: 'Reorder point',
      cell: ({ reorderPoint }) => format.count(reorderPoint),
      isNumber: true,
      width: 128,
    },
    {
      name: 'Order by',
      cell: ({ orderByDate, suggestedQuantity }) => {
        if (orderByDate === null) return '—'
        if (suggestedQuantity === 0 || orderByDate > today) return dayName(orderByDate)
        return (
          <div>
            <Badge look={orderByDate < today ? ['Overdue', 'bad'] : ['Today', 'waiting']} />
            <Small>{dayName(orderByDate)}</Small>
          </div>
        )
      },
      width: 130,
    },
    {
      name: 'Order',
      cell: ({
        suggestedQuantity,
        inDraft,
        packSize,
        roundedUpBy,
        unitCost,
        currency,
        confidence,
        method,
        gapOn,
        gapUntil,
        arrivingInGap,
      }) => {
        if (suggestedQuantity === 0) {
          if (gapOn === null) return <Small>0, enough incoming</Small>
          const from = format.calendarDay(gapOn)
          return (
            <Small>
              {gapUntil === null
                ? `0, runs out ${from}`
                : `0, out of stock from ${from} to ${format.calendarDay(gapUntil)}`}
            </Small>
          )
        }
        return (
          <div>
            <Text size="sm" fw={650}>
              {format.count(suggestedQuantity)}
            </Text>
            {packSize > 1 && <Small>{`${format.count(suggestedQuantity / packSize)} × ${packSize}`}</Small>}
            {arrivingInGap > 0 && gapOn !== null && gapUntil !== null && (
              <Small>{`sold out from ${format.calendarDay(gapOn)} to ${format.calendarDay(gapUntil)}`}</Small>
            )}
            {roundedUpBy > 0 && <Small>{`rounded up by ${format.count(roundedUpBy)}`}</Small>}
            {unitCost !== null && <Small>{`at ${format.costIn(unitCost, currency)}`}</Small>}
            {confidence === 'low' && method !== '30d' && <Badge look={['Unsure', 'waiting']} />}
            {inDraft > 0 && <Badge look={[`${format.count(inDraft)} in a draft`, 'info']} />}
          </div>
        )
      },
      isNumber: true,
      width: 130,
    },
  ]
}

const Small = ({ children }: { children: string }) => (
  <Text size="xs" c="dimmed">
    {children}
  </Text>
)

function incomingText(onOrder: number, inTransit: number): string {
  if (inTransit === 0) return 'on order'
  return onOrder === 0 ? 'in transit' : `${onOrder} on order, ${inTransit} in transit`
}
