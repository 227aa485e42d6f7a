import type { Shop } from '../shops/shop.ts'
import type { LevelKey } from '../shops/stock.ts'
import type { LevelChange } from '../shops/stock-changes.ts'
import type { Cause, Made, Outcome } from './inventory-answers.ts'
import {
  checkBounds,
  checkCause,
  findLevelKey,
  isError,
  type UserError,
  userError,
} from './inventory-checks.ts'
import { requireMaxSize } from './query-root.ts'
import { fail } from './view.ts'

type Pair = { inventoryItemId: string; locationId: string; changeFromQuantity?: number | null }
export type SetInput = Cause & { quantities: (Pair & { quantity: number })[] }
export type AdjustInput = Cause & { changes: (Pair & { delta: number; ledgerDocumentUri?: string | null })[] }

const maxQuantity = 1_000_000_000

/** Throws on too many lines, or on a line without `changeFromQuantity` (null is allowed). */
export function requireValidLines(type: string, lines: readonly Pair[]): void {
  requireMaxSize(lines)
  if (lines.every(({ changeFromQuantity }) => changeFromQuantity !== undefined)) return
  throw fail('INVALID_FIELD_ARGUMENTS', `${type} must include the following argument: changeFromQuantity`)
}

/** Sets quantities, all or none. */
export function setQuantities(shop: Shop, input: SetInput): Outcome {
  const errors = checkCause(input)
  const made: Made[] = []
  const pairs = new Set<string>()
  if (input.name !== 'available' && input.name !== 'on_hand') {
    const message = "The quantity name must be either 'available' or 'on_hand'."
    errors.push(userError('INVALID_NAME', ['input', 'name'], message))
  }
  for (const [index, line] of input.quantities.entries()) {
    const field = ['input', 'quantities', String(index)]
    const pair = `${line.inventoryItemId} ${line.locationId}`
    if (pairs.has(pair)) {
      const message = 'The combination of inventoryItemId and locationId must be unique.'
      const code = 'NO_DUPLICATE_INVENTORY_ITEM_ID_GROUP_ID_PAIR'
      errors.push(userError(code, [...field, 'locationId'], message))
    }
    pairs.add(pair)
    const quantityField = [...field, 'quantity']
    errors.push(...checkBounds(line.quantity, maxQuantity, -maxQuantity, quantityField))
    if (line.quantity < 0 && input.name === 'on_hand')
      errors.push(userError('INVALID_QUANTITY_NEGATIVE', quantityField, "The quantity can't be negative."))
    const key = findLevelKey(shop, line, field)
    if (isError(key)) {
      errors.push(key)
      continue
    }
    const before = quantityOf(shop, key, input.name)
    errors.push(...checkChangeFrom(line, before, field))
    made.push({ key, delta: line.quantity - before, after: line.quantity })
  }
  return apply(shop, { made, errors }, input.name)
}

/** Adjusts quantities, all or none. Several lines of one level apply one after the other. */
export function adjustQuantities(shop: Shop, input: AdjustInput): Outcome {
  const errors = checkCause(input)
  const made: Made[] = []
  const totals = new Map<string, number>()
  if (input.name !== 'available')
    errors.push(
      userError('INVALID_QUANTITY_NAME', ['input', 'name'], 'The simulator adjusts `available` only.'),
    )
  for (const [index, line] of input.changes.entries()) {
    const field = ['input', 'changes', String(index)]
    if (line.ledgerDocumentUri != null) {
      const message = 'A ledger document URI is not allowed when adjusting available.'
      errors.push(userError('INVALID_AVAILABLE_DOCUMENT', [...field, 'ledgerDocumentUri'], message))
    }
    errors.push(...checkBounds(line.delta, 2 * maxQuantity, -2 * maxQuantity, [...field, 'delta']))
    const key = findLevelKey(shop, line, field)
    if (isError(key)) {
      errors.push(key)
      continue
    }
    const pair = `${line.inventoryItemId} ${line.locationId}`
    const before = totals.get(pair) ?? quantityOf(shop, key, input.name)
    const after = before + line.delta
    errors.push(...checkChangeFrom(line, before, field))
    errors.push(...checkBounds(after, maxQuantity, -2 * maxQuantity, [...field, 'delta']))
    totals.set(pair, after)
    made.push({ key, delta: line.delta, after })
  }
  return apply(shop, { made, errors }, input.name)
}

/** The current value of the named quantity. */
function quantityOf(shop: Shop, key: LevelKey, name: string): number {
  const { available = 0, committed = 0 } = shop.stock.level(key) ?? {}
  return name === 'on_hand' ? available + committed : available
}

function checkChangeFrom({ changeFromQuantity }: Pair, before: number, field: string[]): UserError[] {
  if (changeFromQuantity == null || changeFromQuantity === before) return []
  const message = 'The changeFromQuantity value does not match persisted value.'
  return [userError('CHANGE_FROM_QUANTITY_STALE', [...field, 'changeFromQuantity'], message)]
}

function apply(shop: Shop, outcome: Outcome, name: string): Outcome {
  if (outcome.errors.length > 0) return { made: [], errors: outcome.errors }
  const changes = outcome.made.map(({ key, after }): LevelChange => {
    const committed = name === 'on_hand' ? (shop.stock.level(key)?.committed ?? 0) : 0
    return { ...key, available: after - committed }
  })
  shop.setLevels(changes)
  return outcome
}
