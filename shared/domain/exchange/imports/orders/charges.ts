import type { Db } from '../../../../db/db.ts'
import { insertImportedCharges } from '../../../documents/purchase-orders/imported/insert-charges.ts'
import type { Terms } from '../load.ts'
import type { PlannedCharge, PlannedLine } from './types.ts'
import type { Planned, WrittenOrder } from './written.ts'

const noRate = 'Charges are left out, since no exchange rate is known. Add them on the order.'

type Charged = {
  /** The message for the rows of an order of which a charge has no exchange rate. */
  left: Map<Planned, string>
  /** By order id: the ids of its new charges. */
  added: Map<number, number[]>
}

/** A new order with lines gets its charges. So does an existing order without charges that only imports have changed. */
const takesCharges = ({ known, lines }: WrittenOrder) =>
  known === null
    ? lines.length > 0
    : known.isUnchanged === true && !known.hasCharges && known.lineCount + lines.length > 0

/** Inserts the charges of orders with lines. */
export async function insertCharges(
  tx: Db,
  terms: Terms,
  orders: readonly WrittenOrder[],
  lineIds: ReadonlyMap<PlannedLine, number>,
): Promise<Charged> {
  const charged = orders.filter((order) => order.each.plan.charges.length > 0 && takesCharges(order))
  const records = charged.flatMap(({ each, id, lines, known }) =>
    each.plan.charges.map((charge, at) => ({
      at,
      order_id: id,
      ...amountsOf(charge, lines, lineIds),
      kind: charge.kind,
      amount: charge.amount,
      // the file may have another currency than an existing order
      currency:
        charge.currency ??
        each.plan.currency ??
        (known ? known.currency : each.supplier.currency) ??
        terms.currency,
      rate: charge.rate,
      file_rate: charge.currency === null ? each.plan.rate : null,
      tax: charge.taxRate,
      is_estimate: charge.isEstimate,
    })),
  )
  const chargesOf = await insertImportedCharges(tx, terms.shopId, terms, records)
  const left = new Map(
    charged.flatMap(({ each, id }) =>
      (chargesOf.get(id) ?? each.plan.charges).length < each.plan.charges.length
        ? [[each, noRate] as const]
        : [],
    ),
  )
  return { left, added: new Map([...chargesOf].filter(([, charges]) => charges.length > 0)) }
}

/** Lines and shares by the ids of the new lines. Shares that name no line of the order are shared by value instead. */
function amountsOf(
  { basis, lines: lineIndexes, shares }: PlannedCharge,
  lines: readonly PlannedLine[],
  lineIds: ReadonlyMap<PlannedLine, number>,
) {
  const idAt = (lineIndex: number) => {
    const line = lines.find((each, at) => (each.lineIndex ?? at) === lineIndex)
    return line && lineIds.get(line)
  }
  const ids = lineIndexes?.flatMap((lineIndex) => idAt(lineIndex) ?? [])
  const amounts = shares?.flatMap(([lineIndex, amount]) => {
    const id = idAt(lineIndex)
    return id === undefined ? [] : [[id, amount] as const]
  })
  const isWhole = amounts !== undefined && amounts.length === shares?.length
  return {
    basis: basis === 'manual' && !isWhole ? 'value' : basis,
    lines: ids && ids.length > 0 ? ids : null,
    shares: basis === 'manual' && isWhole ? Object.fromEntries(amounts) : null,
  }
}
