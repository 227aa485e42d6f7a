import { Button, Checkbox, Text } from '@mantine/core'
import type { ReplenishmentRow } from '../../../../shared/schemas/replenishment.ts'
import { Card } from '../../components/layout/card.tsx'
import { useFormat } from '../../components/shop/format.ts'
import { type Column, RowTable } from '../../components/tables/row-table.tsx'
import { type PlanGroup, totalOf } from './plan-groups.ts'
import classes from './replenishment.module.css'

type Props = {
  group: PlanGroup
  columns: readonly Column<ReplenishmentRow>[]
  isChosen: (row: ReplenishmentRow) => boolean
  quantityOf: (row: ReplenishmentRow) => number
  onChoose: (rows: readonly ReplenishmentRow[], isChosen: boolean) => void
  onOrder: (rows: readonly ReplenishmentRow[]) => void
  isBusy: boolean
  /** More rows, of this supplier too, are not loaded yet. */
  isPartial: boolean
}

/** What to order from one supplier, with the total and the gap to its minimum; or rows of several. */
export function SupplierPlan(props: Props) {
  const { group, columns, isChosen, quantityOf, onChoose, onOrder, isBusy, isPartial } = props
  const format = useFormat(group.currency)
  const { supplierId, title, rows, note } = group
  const chosen = rows.filter(isChosen)
  const { value, pieces, unknownCosts, ...short } = totalOf(chosen, quantityOf)
  const gaps = [
    ...(short.shortByValue > 0 ? [format.money(short.shortByValue)] : []),
    ...(short.shortByPieces > 0 ? [format.many(short.shortByPieces, 'piece')] : []),
  ]
  return (
    <Card
      isFlush
      title={title}
      action={
        note === undefined && (
          <Checkbox
            label="All"
            aria-label={`All from ${title}`}
            checked={chosen.length === rows.length}
            indeterminate={chosen.length > 0 && chosen.length < rows.length}
            onChange={(event) => onChoose(rows, event.currentTarget.checked)}
          />
        )
      }
    >
      <RowTable label={title} columns={columns} rows={rows} keyOf={({ variantId }) => variantId} />
      {/* rows of several suppliers have several currencies */}
      {(supplierId !== null || note !== undefined) && (
        <section className={classes.total} aria-label={`Total of ${title}`}>
          {note !== undefined ? (
            <Text size="sm" c="dimmed" className={classes.text}>
              {note}
            </Text>
          ) : (
            <>
              {isPartial && (
                <Text size="sm" className={classes.short}>
                  So far: load all products for the total of this supplier
                </Text>
              )}
              {!isPartial && chosen.length > 0 && gaps.length > 0 && (
                <Text size="sm" className={classes.short}>
                  {gaps.join(' and ')} short of the supplier’s minimum
                </Text>
              )}
              <Text size="sm" fw={600}>
                {format.many(pieces, 'piece')}, {format.money(value)}
                {unknownCosts > 0 && ` + ${format.many(unknownCosts, 'line')} without cost`}
              </Text>
              <Button
                size="xs"
                variant="default"
                disabled={chosen.length === 0 || isPartial}
                loading={isBusy}
                aria-label={`Create a draft for ${title}`}
                onClick={() => onOrder(chosen)}
              >
                Create a draft
              </Button>
            </>
          )}
        </section>
      )}
    </Card>
  )
}
