import type { ReorderInputs, ReorderRule } from '../../../../../shared/schemas/reorder-rules.ts'
import { useFormat } from '../../../components/shop/format.ts'
import { Badge } from '../../../components/tables/status-badge.tsx'
import { detailId } from '../suggestions/row-toggle.tsx'
import type { RuleQuery } from './change-rule.ts'
import classes from './rule-list.module.css'
import { RuleNumber } from './rule-number.tsx'

/** What an automatic rule was computed from, and the two numbers that people may choose for it. */
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
              <dt>Sold a day</dt>
              <dd>
                {number(inputs.avgDailySales)} ({format.count(inputs.unitsSold)} in {inputs.countedDays}{' '}
                {inputs.confidence === 'low' ? 'days' : 'days with stock'})
              </dd>
            </div>
            <div>
              <dt>Lead time</dt>
              <dd>
                {number(inputs.leadTimeDays)} days, {leadTimeWords(inputs)}
              </dd>
            </div>
            <div>
              <dt>Safety stock</dt>
              <dd>{number(inputs.safetyStock)}</dd>
            </div>
            <div>
              <dt>Computed</dt>
              <dd>{format.moment(computedAt)}</dd>
            </div>
          </dl>
          <p className={classes.words}>
            Point: {number(inputs.avgDailySales)} a day for {number(inputs.leadTimeDays)} +{' '}
            {inputs.reviewDays} days, and {number(inputs.safetyStock)} for days that sell more ={' '}
            {format.count(reorderPoint)}. Quantity: what {inputs.reviewDays} days sell, but at least 1 ={' '}
            {format.count(reorderQuantity)}.
          </p>
          {inputs.confidence === 'low' && (
            <p className={classes.words}>
              <Badge look={['Low confidence', 'waiting']} /> There was stock on only {inputs.inStockDays} of
              the last 90 days, so the numbers may be too small. Look at them before you rely on them.
            </p>
          )}
        </>
      ) : (
        <p className={classes.words}>It is being computed. Load the page again in a moment.</p>
      )}
    </div>
  )
}

function leadTimeWords({ leadTimeSource, measuredOrders }: ReorderInputs): string {
  if (leadTimeSource === 'measured') return `measured on ${measuredOrders} orders`
  return leadTimeSource === 'supplier' ? 'as the supplier’s page says' : 'assumed: the supplier has none'
}
