import { Checkbox, Text } from '@mantine/core'
import type { OverBudgetReason } from '../../../../shared/schemas/buying-budgets.ts'
import type { ReplenishmentRow } from '../../../../shared/schemas/replenishment.ts'
import { QuantityField } from '../../components/forms/quantity-field.tsx'
import type { Format } from '../../components/shop/formats.ts'
import type { Column } from '../../components/tables/row-table.tsx'
import { Badge } from '../../components/tables/status-badge.tsx'
import { VariantLink } from '../../components/tables/variant-link.tsx'
import type { PlanRow } from './plan.tsx'
import { lineTotalOf, unitCostOf } from './plan-groups.ts'
import classes from './replenishment.module.css'

type Options = {
  format: Format
  isChosen: (row: ReplenishmentRow) => boolean
  onChoose: (rows: readonly ReplenishmentRow[], isChosen: boolean) => void
  /** As typed. */
  quantityOf: (row: ReplenishmentRow) => number | ''
  onQuantity: (row: ReplenishmentRow, quantity: number | '') => void
  errorOf: (row: ReplenishmentRow) => string | undefined
}

/** Fixed widths, so that the columns align across the tables of the suppliers. */
export function planColumns(options: Options): Column<ReplenishmentRow>[] {
  const { format, isChosen, onChoose, quantityOf, onQuantity, errorOf } = options
  return [
    {
      name: 'Product',
      cell: (row) => (
        <div className={classes.product}>
          <Checkbox
            checked={isChosen(row)}
            disabled={row.supplierId === null}
            onChange={(event) => onChoose([row], event.currentTarget.checked)}
            label={row.title}
            classNames={{ label: classes.title }}
          />
          <div className={classes.about}>
            <Text size="xs" c="dimmed" span>
              <VariantLink variantId={row.variantId}>{row.sku || 'no SKU'}</VariantLink>
            </Text>
            <Text size="xs">{row.explanation}</Text>
            {budgetText(row, format) && <Text size="xs">{budgetText(row, format)}</Text>}
          </div>
        </div>
      ),
    },
    {
      name: 'Available',
      cell: ({ onHand, inTimePosition, lateOnOrder }) => (
        <div>
          {format.count(onHand)}
          {inTimePosition > onHand && <Small>{`${format.count(inTimePosition - onHand)} in time`}</Small>}
          {lateOnOrder > 0 && <Badge look={[`${format.count(lateOnOrder)} late`, 'bad']} />}
        </div>
      ),
      isNumber: true,
      width: 110,
    },
    {
      name: 'Sold out',
      cell: ({ gapOn }) => (gapOn === null ? '—' : format.calendarDay(gapOn)),
      width: 120,
    },
    {
      name: 'Forecast',
      cell: ({ forecastUnits, safetyStock, confidence }) => (
        <div>
          <Text size="sm">{format.count(Math.round(forecastUnits))}</Text>
          {safetyStock > 0 && <Small>{`+ ${format.count(Math.round(safetyStock))} safety`}</Small>}
          {confidence === 'low' && <Badge look={['Unsure', 'waiting']} />}
        </div>
      ),
      isNumber: true,
      width: 110,
    },
    {
      name: 'Order',
      cell: (row) => (
        <div>
          <QuantityField
            label={`Order of ${row.title}`}
            value={quantityOf(row)}
            onChange={(quantity) => onQuantity(row, quantity)}
            placeholder="0"
            error={errorOf(row)}
          />
          {row.packSize > 1 && <Small>{packText(Number(quantityOf(row)), row.packSize)}</Small>}
          {row.roundedUpBy > 0 && quantityOf(row) === row.suggestedQuantity && (
            <Small>{`rounded up by ${format.count(row.roundedUpBy)}`}</Small>
          )}
          {row.inDraft > 0 && <Badge look={[`${format.count(row.inDraft)} in a draft`, 'info']} />}
        </div>
      ),
      isNumber: true,
      width: 130,
    },
    {
      name: 'Total',
      cell: (row) => {
        const quantity = Number(quantityOf(row))
        const unitCost = unitCostOf(row, quantity)
        const total = lineTotalOf(row, quantity)
        if (total === null || unitCost === null) return <Small>no cost</Small>
        return (
          <div>
            {format.moneyIn(total, row.currency)}
            <Small>{`at ${format.costIn(unitCost, row.currency)}`}</Small>
          </div>
        )
      },
      isNumber: true,
      width: 130,
    },
  ]
}

const reasons: Record<OverBudgetReason, string> = {
  budget: 'Over budget.',
  supplier_minimum: 'Over budget: the remaining budget is below the supplier’s minimum.',
  in_draft: 'It is in a draft already, which counts as spent.',
  no_cost: 'No cost is known, so the budget cannot pay it.',
  no_rate: 'The exchange rate of its currency is not known. Enter it on an order.',
  no_supplier: 'It has no supplier.',
}

/** What the budget does with a row, and its margin. */
function budgetText(row: PlanRow, format: Options['format']): string | undefined {
  const { budgetQuantity, overBudgetReason, suggestedQuantity, margin } = row
  if (budgetQuantity === undefined) return undefined
  const part = (budgetQuantity || suggestedQuantity) / suggestedQuantity
  const wins = typeof margin === 'number' ? ` Margin: ${format.money(margin * part)}.` : ''
  if (budgetQuantity === 0) return `${reasons[overBudgetReason ?? 'budget']}${wins}`
  if (budgetQuantity === suggestedQuantity) return wins.trim() || undefined
  return `The budget pays ${format.count(budgetQuantity)} of ${format.count(suggestedQuantity)}.${wins}`
}

const packText = (quantity: number, packSize: number) =>
  quantity % packSize === 0 ? `${quantity / packSize} × ${packSize}` : `no whole packs of ${packSize}`

const Small = ({ children }: { children: string }) => (
  <Text size="xs" c="dimmed">
    {children}
  </Text>
)
