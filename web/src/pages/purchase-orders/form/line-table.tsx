import { useMemo } from 'react'
import type { FieldErrors } from '../../../components/forms/form-errors.ts'
import type { DraftLine } from './draft.ts'
import { type TermsByVariant, termsOf } from './line-prices.ts'
import { LineRow } from './line-row.tsx'
import classes from './line-table.module.css'

type Props = {
  /** Undefined: the shop's. */
  currency: string | undefined
  lines: readonly DraftLine[]
  terms: TermsByVariant
  /** The supplier's default, in percent. */
  taxRate: number
  errors: FieldErrors
  /** Shows supplier SKU, pack size, discount and tax below each line. */
  hasDetails: boolean
  onChange: (key: number, change: Partial<DraftLine>) => void
  onRemove: (key: number) => void
}

/** The editable lines of an order. `onChange` and `onRemove` must be stable functions, because rows are memoized. */
export function LineTable({ lines, terms, errors, hasDetails, ...same }: Props) {
  const errorsByLine = useMemo(() => splitByLine(errors), [errors])
  return (
    <div className={classes.frame}>
      <table className={classes.table} aria-label="Lines">
        <thead>
          <tr>
            <th scope="col">Product</th>
            <th scope="col">Quantity</th>
            <th scope="col">Unit cost</th>
            <th scope="col" data-number>
              Total
            </th>
            <th scope="col">
              <span className={classes.hidden}>Remove</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line, index) => {
            const lineErrors = errorsByLine.get(index) ?? noErrors
            return (
              <LineRow
                key={line.key}
                line={line}
                terms={termsOf(terms, line)}
                errors={lineErrors}
                hasDetails={hasDetails || detailNames.some((name) => lineErrors[name])}
                {...same}
              />
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

const detailNames = ['supplierSku', 'packSize', 'discountPercent', 'taxRate']
const noErrors: FieldErrors = {}

/** `lineItems.2.quantity` is the error `quantity` of the third line; `''` is that of the whole line. */
function splitByLine(errors: FieldErrors): ReadonlyMap<number, FieldErrors> {
  const byLine = new Map<number, FieldErrors>()
  for (const [path, message] of Object.entries(errors)) {
    const [, index, field = ''] = /^lineItems\.(\d+)(?:\.(\w+))?$/.exec(path) ?? []
    if (index === undefined) continue
    byLine.set(Number(index), { ...byLine.get(Number(index)), [field]: message })
  }
  return byLine
}
