import type { Shop } from '../shops/shop.ts'
import { isQuantityName, type LevelKey, noStates, quantityOf, type StateName } from '../shops/stock.ts'
import type { Cause, Made, Outcome } from './inventory-answers.ts'
import {
  checkBounds,
  checkCause,
  checkLedgerDocuments,
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
    return { made, errors: [...errors, userError('INVALID_NAME', ['input', 'name'], message)] }
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
    const before = currentQuantity(shop, key, input.name)
    errors.push(...checkChangeFrom(line, before, field))
    made.push({ key, delta: line.quantity - before, after: line.quantity })
  }
  return apply(shop, { made, errors }, input.name)
}

/** The states that apps adjust. Orders alone commit stock, and on hand is a sum. */
const adjustableNames: readonly string[] = [
  'available',
  'damaged',
  'incoming',
  'quality_control',
  'reserved',
  'safety_stock',
] satisfies StateName[]

/** Adjusts quantities, all or none. Several lines of one level apply one after the other. */
export function adjustQuantities(shop: Shop, input: AdjustInput): Outcome {
  const errors = checkCause(input)
  const made: Made[] = []
  const totals = new Map<string, number>()
  if (!adjustableNames.includes(input.name)) {
    const message = 'The specified quantity name is invalid.'
    return { made, errors: [...errors, userError('INVALID_QUANTITY_NAME', ['input', 'name'], message)] }
  }
  errors.push(...checkLedgerDocuments(shop.namespace, input.name, input.changes))
  for (const [index, line] of input.changes.entries()) {
    const field = ['input', 'changes', String(index)]
    errors.push(...checkBounds(line.delta, 2 * maxQuantity, -2 * maxQuantity, [...field, 'delta']))
    const key = findLevelKey(shop, line, field)
    if (isError(key)) {
      errors.push(key)
      continue
    }
    const pair = `${line.inventoryItemId} ${line.locationId}`
    const before = totals.get(pair) ?? currentQuantity(shop, key, input.name)
    const after = before + line.delta
    errors.push(...checkChangeFrom(line, before, field))
    errors.push(...checkBounds(after, maxQuantity, -2 * maxQuantity, [...field, 'delta']))
    totals.set(pair, after)
    made.push({ key, delta: line.delta, after })
  }
  return apply(shop, { made, errors }, input.name)
}

function currentQuantity(shop: Shop, key: LevelKey, name: string): number {
  return isQuantityName(name) ? quantityOf(shop.stock.level(key) ?? noStates, name) : 0
}

function checkChangeFrom({ changeFromQuantity }: Pair, before: number, field: string[]): UserError[] {
  if (changeFromQuantity == null || changeFromQuantity === before) return []
  const message = 'The changeFromQuantity value does not match persisted value.'
  return [userError('CHANGE_FROM_QUANTITY_STALE', [...field, 'changeFromQuantity'], message)]
}

/**
 * Applies each change, unless there is an error. A change of on hand moves what is available, since the other states
 * have a purpose of their own.
 */
function apply(shop: Shop, { made, errors }: Outcome, name: string): Outcome {
  if (errors.length > 0) return { made: [], errors }
  const state = name === 'on_hand' ? 'available' : name
  const other = name === 'on_hand' ? 'available' : name === 'incoming' ? undefined : 'on_hand'
  const applied = made.map((one): Made => {
    shop.setLevels([{ ...one.key, [state]: currentQuantity(shop, one.key, state) + one.delta }])
    return other ? { ...one, also: { name: other, after: currentQuantity(shop, one.key, other) } } : one
  })
  return { made: applied, errors }
}
