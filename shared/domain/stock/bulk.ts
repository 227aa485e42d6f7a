import type { Db } from '../../db/db.ts'
import { type Fault, unprocessable } from '../../errors.ts'
import type { AdjustedStock, StockSetting } from '../../schemas/stock-adjustments.ts'
import { changeNamedLevels } from './change-named-levels.ts'
import { levelKey } from './changes.ts'
import type { LevelKey } from './move.ts'

/** An equal line counts as applied. Throws negative_quantity, duplicate_line, the errors of `changeNamedLevels`. */
export async function setStock(
  db: Db,
  shopId: number,
  actor: string,
  { adjustments, allowNegative = false }: StockSetting,
): Promise<AdjustedStock> {
  const lines = adjustments.map((line, at) => ({ ...line, path: `/adjustments/${at}/quantity` }))
  refuseContradictions(lines)
  if (!allowNegative) refuseNegative(lines)
  const changes = lines.map(({ variantId, locationId, quantity, reason = '', path }) => ({
    ...{ variantId, locationId, reason },
    amount: quantity,
    paths: [path],
    countedAt: null,
  }))
  const distinct = [...new Map(changes.map((change) => [levelKey(change), change])).values()]
  const change = { kind: 'set', form: 'set', reference: '', actor, allowNegative: true } as const
  return changeNamedLevels(db, shopId, { ...change, isAbsolute: true }, { lines, changes: distinct })
}

type SetLine = LevelKey<string> & { quantity: number; path: string }

/** Lines that set a quantity cannot be summed, so two different quantities for one level are an error. */
function refuseContradictions(lines: readonly SetLine[]): void {
  const first = new Map<string, number>()
  const faults: Fault[] = []
  for (const line of lines) {
    const earlier = first.get(levelKey(line))
    if (earlier === undefined) first.set(levelKey(line), line.quantity)
    else if (earlier !== line.quantity)
      faults.push({ path: line.path, message: `contradicts quantity ${earlier} of an earlier line` })
  }
  if (faults.length === 0) return
  throw unprocessable(
    'duplicate_line',
    'Two lines set different quantities for the same stock level.',
    faults,
  )
}

function refuseNegative(lines: readonly SetLine[]): void {
  const faults = lines
    .filter(({ quantity }) => quantity < 0)
    .map(({ path }) => ({ path, message: 'must not be below 0' }))
  if (faults.length === 0) return
  throw unprocessable('negative_quantity', 'Quantity cannot be negative.', faults)
}
