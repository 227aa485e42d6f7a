import type { GraphQLResolveInfo } from 'graphql'
import { parseGid } from '../shops/ids.ts'
import type { Shop } from '../shops/shop.ts'
import type { LevelPlace } from '../shops/stock.ts'
import { answerOnce, groupView, type KeyFault } from './inventory-answers.ts'
import { type UserError, userError } from './inventory-checks.ts'
import {
  type AdjustInput,
  adjustQuantities,
  demandLines,
  type SetInput,
  setQuantities,
} from './quantity-changes.ts'
import { findLocation } from './stock-views.ts'
import type { View, ViewContext } from './view.ts'

type ActivateArgs = { inventoryItemId: string; locationId: string; available?: number; onHand?: number }

/** Changes of stock by the app. */
export function createInventoryMutations(context: ViewContext, keyFault: KeyFault): View {
  const { shop, views } = context

  return {
    inventorySetQuantities({ input }: { input: SetInput }, _: unknown, info: GraphQLResolveInfo) {
      demandLines('InventoryQuantityInput', input.quantities)
      const answer = answerOnce(context, keyFault, info, input, () => setQuantities(shop, input))
      return groupView(context, answer, input)
    },
    inventoryAdjustQuantities({ input }: { input: AdjustInput }, _: unknown, info: GraphQLResolveInfo) {
      demandLines('InventoryChangeInput', input.changes)
      const answer = answerOnce(context, keyFault, info, input, () => adjustQuantities(shop, input))
      return groupView(context, answer, input)
    },
    inventoryActivate(args: ActivateArgs, _: unknown, info: GraphQLResolveInfo) {
      const place = placeOf(shop, args)
      const activated = () => ({ made: [], errors: isPlace(place) ? activate(shop, place, args) : [place] })
      const { errors } = answerOnce(context, keyFault, info, args, activated)
      const level = errors.length === 0 && isPlace(place) ? views.level(place, shop.stock.level(place)) : null
      return { inventoryLevel: level, userErrors: errors }
    },
  }
}

const isPlace = (found: LevelPlace | UserError): found is LevelPlace => 'item' in found

/** Errors of this mutation have no code. */
const activateError = (field: string, message: string) => userError('', [field], message)

function placeOf(shop: Shop, { inventoryItemId, locationId }: ActivateArgs): LevelPlace | UserError {
  const gid = parseGid(shop.namespace, inventoryItemId)
  const item = gid?.type === 'InventoryItem' ? shop.catalogue.itemPlace(gid.id) : undefined
  if (!item || shop.catalogue.variantsOfItem(item).length === 0)
    return activateError('inventoryItemId', 'The inventory item could not be found.')
  const location = findLocation(shop, locationId)
  return location === undefined || !shop.locations[location]?.isActive
    ? activateError('locationId', 'The location could not be found.')
    : { item, location }
}

/** To activate again changes nothing; to say a quantity then is an error. */
function activate(shop: Shop, place: LevelPlace, { available, onHand }: ActivateArgs): UserError[] {
  const quantity = available ?? onHand
  const isActive = shop.stock.level(place) !== undefined
  if (isActive && quantity != null) {
    const message = 'Not allowed to set available quantity when the item is already active at the location.'
    return [activateError('available', message)]
  }
  if (!isActive) shop.setLevels([{ ...place, available: quantity ?? 0 }])
  return []
}
