import type { ReorderInputs, ReorderRule } from '../../../../../shared/schemas/reorder-rules.ts'
import { useFormat } from '../../../components/shop/format.ts'
import { Badge } from '../../../components/tables/status-badge.tsx'
import { detailId } from '../suggestions/row-toggle.tsx'
import type { RuleQuery } from './change-rule.ts'
import classes from './rule-list.module.css'
import { RuleNumber } from './rule-number.tsx'

/** The inputs of an automatic rule's numbers, and its two settings. */
export function ComputedRule({ rule, query }: { rule: ReorderRule; query: RuleQuery }) {
  const { inputs, computedAt, reorderPoint, reorderQuantity } = rule
  const format = useFormat()
  const number = (value: number) => format.count(Math.round(value * 100) / 100)
  return (
    <div id={detailId(rule.id)} className={classes.computed}>
      <RuleNumber rule={rule} query={query} field="serviceLevel" name="Service level" suffix=" %" isNamed />
      <RuleNumber rule={rule} query={query} field="reviewDays" name="Order every" suffix=" days" isNamed />
      {inputs && computedAt ? (
        <>
          <dl className={classes.inputs}>
            <div>
              <dt>Sold per day</dt>
              <dd>
                {number(inputs.avgDailySales)} ({format.count(inputs.unitsSold)} in {inputs.countedDays}{' '}
                {inputs.confidence === 'low' ? 'days' : 'days with stock'})
              </dd>
            </div>
            <div>
              <dt>Lead time</dt>
              <dd>
                {number(inputs.leadTimeDays)} days, {leadTimeSourceText(inputs)}
              </dd>
            </div>
            <div>
              <dt>Safety stock</dt>
              <dd>{number(inputs.safetyStock)}</dd>
            </div>
            <div>
              <dt>Calculated</dt>
              <dd>{format.dateTime(computedAt)}</dd>
            </div>
          </dl>
          <p className={classes.text}>
            Reorder point: {number(inputs.avgDailySales)} a day × ({number(inputs.leadTimeDays)} lead time
            days + {inputs.reviewDays} days between orders) + {number(inputs.safetyStock)} safety stock ={' '}
            {format.count(reorderPoint)}. Quantity: sales of {inputs.reviewDays} days, at least 1 ={' '}
            {format.count(reorderQuantity)}.
          </p>
          {inputs.confidence === 'low' && (
            <p className={classes.text}>
              <Badge look={['Low confidence', 'waiting']} /> This product was in stock on only{' '}
              {inputs.inStockDays} of the {inputs.periodDays ?? 90} days known, so these numbers may be too
              low. Check them before you order.
            </p>
          )}
        </>
      ) : (
        <p className={classes.text}>
          Not calculated yet. A new rule takes a moment: reload the page. A product whose sales are known for
          fewer than 7 days gets its numbers when it has 7.
        </p>
      )}
    </div>
  )
}

function leadTimeSourceText({ leadTimeSource, measuredOrders }: ReorderInputs): string {
  if (leadTimeSource === 'measured') return `measured from ${measuredOrders} orders`
  return leadTimeSource === 'supplier' ? 'from the supplier’s page' : 'assumed: the supplier has no lead time'
}
