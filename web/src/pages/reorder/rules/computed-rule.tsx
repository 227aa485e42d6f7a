import type { ReorderInputs, ReorderRule } from '../../../../../shared/schemas/reorder-rules.ts'
import { useFormat } from '../../../components/shop/format.ts'
import { Badge } from '../../../components/tables/status-badge.tsx'
import { detailId } from '../suggestions/row-toggle.tsx'
import type { RuleQuery } from './change-rule.ts'
import { missingNumberReason } from './computing.ts'
import classes from './rule-list.module.css'
import { RuleNumber } from './rule-number.tsx'

/** The inputs of an automatic rule's numbers, and its two settings. */
export function ComputedRule({ rule, query }: { rule: ReorderRule; query: RuleQuery }) {
  const { inputs, computedAt, reorderPoint, reorderQuantity, abcClass, classServiceLevel } = rule
  const format = useFormat()
  const number = (value: number) => format.count(Math.round(value * 100) / 100)
  return (
    <div id={detailId(rule.id)} className={classes.computed}>
      <RuleNumber
        {...{ rule, query }}
        field="serviceLevel"
        name="Service level"
        placeholder={`By class (${abcClass ?? 'none yet'}: ${classServiceLevel} %)`}
        suffix=" %"
        isNamed
      />
      <RuleNumber rule={rule} query={query} field="reviewDays" name="Order every" suffix=" days" isNamed />
      {inputs && computedAt ? (
        <>
          <dl className={classes.inputs}>
            <div>
              <dt>{inputs.method === undefined ? 'Sold per day' : 'Expected per day'}</dt>
              <dd>
                {number(inputs.avgDailySales)} (
                {inputs.method === undefined
                  ? `${format.count(inputs.unitsSold)} in ${inputs.countedDays} ${inputs.confidence === 'low' ? 'days' : 'days with stock'}`
                  : forecastText(inputs)}
                )
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
          {inputs.method === undefined ? (
            <p className={classes.text}>
              Reorder point: {number(inputs.avgDailySales)} a day × ({number(inputs.leadTimeDays)} lead time
              days + {inputs.reviewDays} days between orders) + {number(inputs.safetyStock)} safety stock ={' '}
              {format.count(reorderPoint)}. Quantity: sales of {inputs.reviewDays} days, at least 1 ={' '}
              {format.count(reorderQuantity)}. There is no usable forecast yet.
            </p>
          ) : (
            <p className={classes.text}>
              Reorder point: {number(inputs.forecastUnits ?? 0)} expected in {number(inputs.leadTimeDays)}{' '}
              lead time days + {number(inputs.safetyStock)} safety stock = {format.count(reorderPoint)}.
              Quantity: expected in the {inputs.coverDays} days after that, at least 1 ={' '}
              {format.count(reorderQuantity)}; with what is missing to the point, an order fills up to{' '}
              {number(inputs.orderUpTo ?? 0)}.
            </p>
          )}
          {inputs.confidence === 'low' && inputs.method !== undefined && (
            <p className={classes.text}>
              <Badge look={['Low confidence', 'waiting']} /> The forecast is that of a new product, or was far
              off lately. Check these numbers before you order.
            </p>
          )}
          {inputs.confidence === 'low' && inputs.method === undefined && (
            <p className={classes.text}>
              <Badge look={['Low confidence', 'waiting']} /> This product was in stock on only{' '}
              {inputs.inStockDays} of the {inputs.periodDays ?? 90} days known, so these numbers may be too
              low. Check them before you order.
            </p>
          )}
        </>
      ) : (
        <p className={classes.text}>{missingNumberReason(rule)}</p>
      )}
    </div>
  )
}

function forecastText({ wape }: ReorderInputs): string {
  return typeof wape === 'number' ? `forecast, off by ${Math.round(wape * 100)} % lately` : 'forecast'
}

function leadTimeSourceText({ leadTimeSource, measuredOrders }: ReorderInputs): string {
  if (leadTimeSource === 'measured') return `measured from ${measuredOrders} orders`
  return leadTimeSource === 'supplier' ? 'from the supplier’s page' : 'assumed: the supplier has no lead time'
}
