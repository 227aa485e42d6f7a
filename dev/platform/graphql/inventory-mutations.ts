import type { GraphQLResolveInfo } from 'graphql'
import { parseGid } from '../shops/ids.ts'
import { allows } from '../shops/scopes.ts'
import { instant } from '../shops/seed.ts'
import type { LevelPlace } from '../shops/stock.ts'
import type { LevelChange } from '../shops/stock-changes.ts'
import { lookUp, readKey, remember } from './idempotency.ts'
import { checkCause, findPlace, isError, type UserError, userError } from './inventory-checks.ts'
import { demandSize } from './query-root.ts'
import { findLocation } from './stock-views.ts'
import { fail, type View, type ViewContext } from './view.ts'

type Pair = { inventoryItemId: string; locationId: string; changeFromQuantity?: number | null }
type Cause = { name: string; reason: string; referenceDocumentUri?: string | null }
type SetInput = Cause & { quantities: (Pair & { quantity: number })[] }
type AdjustInput = Cause & { changes: (Pair & { delta: number; ledgerDocumentUri?: string | null })[] }
type ActivateArgs = { inventoryItemId: string; locationId: string; available?: number; onHand?: number }

/** One change as it was made; what is told of it afterwards, and again to the same key. */
type Made = { place: LevelPlace; delta: number; after: number }
type Answer = { id: string; at: string; made: Made[]; errors: UserError[] }

/** The errors of an idempotency key that a fault wants to be answered. */
export type KeyFault = 'concurrent' | 'previous-failed' | undefined

const most = 1_000_000_000

/** Changes of stock by the app: all lines of one call are applied, or none. */
export function createInventoryMutations(context: ViewContext, keyFault: KeyFault): View {
  const { shop, views } = context

  function group({ id, at, made, errors }: Answer, cause: Cause): View {
    const userErrors = errors
    if (errors.length > 0) return { inventoryAdjustmentGroup: null, userErrors }
    const changes = (wanted: {
      inventoryItemIds?: string[]
      locationIds?: string[]
      quantityNames?: string[]
    }) =>
      made.flatMap(({ place, delta, after }) => {
        const item = views.item(place.item)
        const location = views.location(place.location)
        const isWanted =
          (wanted.inventoryItemIds?.includes(String(item?.id)) ?? true) &&
          (wanted.locationIds?.includes(String(location?.id)) ?? true) &&
          (wanted.quantityNames?.includes(cause.name) ?? true)
        const change = { name: cause.name, delta, quantityAfterChange: after, item, location }
        return isWanted ? [{ ...change, ledgerDocumentUri: null }] : []
      })
    const { reason, referenceDocumentUri = null } = cause
    return {
      inventoryAdjustmentGroup: {
        __typename: 'InventoryAdjustmentGroup',
        id: shop.gid('InventoryAdjustmentGroup', id),
        createdAt: at,
        reason,
        referenceDocumentUri,
        app: null,
        changes,
      },
      userErrors,
    }
  }

  /** Does it once for each key. The same again is answered again; something else under the same key is an error. */
  function once(request: unknown, info: GraphQLResolveInfo, work: () => Omit<Answer, 'id' | 'at'>): Answer {
    if (!allows(context.scopes, 'write_inventory'))
      throw fail(
        'ACCESS_DENIED',
        `Access denied for ${info.fieldName} field. Required access: \`write_inventory\``,
      )
    const key = readKey(info)
    const failed = (code: string, message: string) => ({
      id: '',
      at: '',
      made: [],
      errors: [userError(code, null, message)],
    })
    if (keyFault === 'concurrent')
      return failed(
        'IDEMPOTENCY_CONCURRENT_REQUEST',
        'This request is currently in progress, please try again.',
      )
    if (keyFault === 'previous-failed')
      return failed(
        'IDEMPOTENCY_PREVIOUS_ATTEMPT_FAILED',
        'A previous request with this idempotency key failed. Retry with a new idempotency key.',
      )
    const asked = [info.fieldName, request]
    const repeat = lookUp<Answer>(shop.state.remembered, key, asked)
    if (repeat.kind === 'same') return repeat.answer
    if (repeat.kind === 'mismatch')
      return failed(
        'IDEMPOTENCY_KEY_PARAMETER_MISMATCH',
        'The same idempotency key cannot be used with different operation parameters.',
      )
    const answer = { id: shop.nextId(), at: instant(new Date()), ...work() }
    remember(shop.state.remembered, key, asked, answer)
    shop.changed()
    return answer
  }

  /** Of the quantity that is named, what it is now. */
  function quantityOf(place: LevelPlace, name: string): number {
    const level = shop.stock.level(place)
    return (level?.available ?? 0) + (name === 'on_hand' ? (level?.committed ?? 0) : 0)
  }

  function apply(made: Made[], name: string): void {
    const changes = made.map(({ place, after }): LevelChange => {
      const committed = name === 'on_hand' ? (shop.stock.level(place)?.committed ?? 0) : 0
      return { ...place, available: after - committed }
    })
    shop.setLevels(changes)
  }

  const stale = (field: string[]) =>
    userError(
      'CHANGE_FROM_QUANTITY_STALE',
      [...field, 'changeFromQuantity'],
      'The changeFromQuantity value does not match persisted value.',
    )

  return {
    inventorySetQuantities({ input }: { input: SetInput }, _: unknown, info: GraphQLResolveInfo) {
      demandSize(input.quantities)
      demandChangeFrom('InventoryQuantityInput', input.quantities)
      const answer = once(input, info, () => {
        const errors = checkCause(input)
        const made: Made[] = []
        const seen = new Set<string>()
        if (input.name !== 'available' && input.name !== 'on_hand')
          errors.push(
            userError(
              'INVALID_NAME',
              ['input', 'name'],
              "The quantity name must be either 'available' or 'on_hand'.",
            ),
          )
        for (const [index, line] of input.quantities.entries()) {
          const field = ['input', 'quantities', String(index)]
          const pair = `${line.inventoryItemId} ${line.locationId}`
          if (seen.has(pair))
            errors.push(
              userError(
                'NO_DUPLICATE_INVENTORY_ITEM_ID_GROUP_ID_PAIR',
                [...field, 'locationId'],
                'The combination of inventoryItemId and locationId must be unique.',
              ),
            )
          seen.add(pair)
          errors.push(...checkBounds(line.quantity, most, -most, [...field, 'quantity']))
          if (line.quantity < 0 && input.name === 'on_hand')
            errors.push(
              userError(
                'INVALID_QUANTITY_NEGATIVE',
                [...field, 'quantity'],
                "The quantity can't be negative.",
              ),
            )
          const place = findPlace(shop, line, field)
          if (isError(place)) {
            errors.push(place)
            continue
          }
          const before = quantityOf(place, input.name)
          if (line.changeFromQuantity != null && line.changeFromQuantity !== before) errors.push(stale(field))
          made.push({ place, delta: line.quantity - before, after: line.quantity })
        }
        if (errors.length > 0) return { made: [], errors }
        apply(made, input.name)
        return { made, errors }
      })
      return group(answer, input)
    },

    inventoryAdjustQuantities({ input }: { input: AdjustInput }, _: unknown, info: GraphQLResolveInfo) {
      demandSize(input.changes)
      demandChangeFrom('InventoryChangeInput', input.changes)
      const answer = once(input, info, () => {
        const errors = checkCause(input)
        const made: Made[] = []
        const totals = new Map<string, number>()
        if (input.name !== 'available')
          errors.push(
            userError('INVALID_QUANTITY_NAME', ['input', 'name'], 'The simulator adjusts `available` only.'),
          )
        for (const [index, line] of input.changes.entries()) {
          const field = ['input', 'changes', String(index)]
          if (line.ledgerDocumentUri != null)
            errors.push(
              userError(
                'INVALID_AVAILABLE_DOCUMENT',
                [...field, 'ledgerDocumentUri'],
                'A ledger document URI is not allowed when adjusting available.',
              ),
            )
          errors.push(...checkBounds(line.delta, 2 * most, -2 * most, [...field, 'delta']))
          const place = findPlace(shop, line, field)
          if (isError(place)) {
            errors.push(place)
            continue
          }
          const pair = `${line.inventoryItemId} ${line.locationId}`
          const before = totals.get(pair) ?? quantityOf(place, input.name)
          if (line.changeFromQuantity != null && line.changeFromQuantity !== before) errors.push(stale(field))
          const after = before + line.delta
          errors.push(...checkBounds(after, most, -2 * most, [...field, 'delta']))
          totals.set(pair, after)
          made.push({ place, delta: line.delta, after })
        }
        if (errors.length > 0) return { made: [], errors }
        apply(made, input.name)
        return { made, errors }
      })
      return group(answer, input)
    },

    inventoryActivate(args: ActivateArgs, _: unknown, info: GraphQLResolveInfo) {
      const gid = parseGid(shop.namespace, args.inventoryItemId)
      const item = gid?.type === 'InventoryItem' ? shop.catalogue.itemPlace(gid.id) : undefined
      const location = findLocation(shop, args.locationId)
      const { errors } = once(args, info, () => ({ made: [], errors: activate(args, item, location) }))
      const place = item && location !== undefined ? { item, location } : undefined
      return {
        inventoryLevel: errors.length === 0 && place ? views.level(place, shop.stock.level(place)) : null,
        userErrors: errors,
      }
    },
  }

  function activate(args: ActivateArgs, item: LevelPlace['item'] | undefined, location: number | undefined) {
    if (!item || shop.catalogue.variantsOfItem(item).length === 0)
      return [userError('', ['inventoryItemId'], 'The inventory item could not be found.')]
    if (location === undefined || !shop.locations[location]?.isActive)
      return [userError('', ['locationId'], 'The location could not be found.')]
    const level = shop.stock.level({ item, location })
    const available = args.available ?? args.onHand
    // As the platform has it: to activate again changes nothing, and quantities then are an error.
    if (level && available != null)
      return [
        userError(
          '',
          ['available'],
          'Not allowed to set available quantity when the item is already active at the location.',
        ),
      ]
    if (!level) shop.setLevels([{ item, location, available: available ?? 0 }])
    return []
  }
}

/** It has to be there, if only as null: then nothing is compared. */
function demandChangeFrom(type: string, lines: readonly Pair[]): void {
  if (lines.every((line) => line.changeFromQuantity !== undefined)) return
  throw fail('INVALID_FIELD_ARGUMENTS', `${type} must include the following argument: changeFromQuantity`)
}

function checkBounds(quantity: number, high: number, low: number, field: string[]): UserError[] {
  const spoken = (bound: number) => bound.toLocaleString('en')
  if (quantity > high)
    return [
      userError('INVALID_QUANTITY_TOO_HIGH', field, `The quantity can't be higher than ${spoken(high)}.`),
    ]
  if (quantity < low)
    return [userError('INVALID_QUANTITY_TOO_LOW', field, `The quantity can't be lower than ${spoken(low)}.`)]
  return []
}
