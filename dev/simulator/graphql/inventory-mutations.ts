import type { GraphQLResolveInfo } from 'graphql'
import { parseGid } from '../shops/ids.ts'
import type { Shop } from '../shops/shop.ts'
import type { LevelKey } from '../shops/stock.ts'
import { groupView, type KeyFault, runOnce } from './inventory-answers.ts'
import { type UserError, userError } from './inventory-checks.ts'
import {
  type AdjustInput,
  adjustQuantities,
  requireValidLines,
  type SetInput,
  setQuantities,
} from './quantity-changes.ts'
import { findLocation } from './stock-views.ts'
import type { View, ViewContext } from './view.ts'

type ActivateArgs = { inventoryItemId: string; locationId: string; available?: number; onHand?: number }

/** The mutations with which the app changes stock. */
export function createInventoryMutations(context: ViewContext, keyFault: KeyFault): View {
  const { shop, views } = context

  return {
    inventorySetQuantities({ input }: { input: SetInput }, _: unknown, info: GraphQLResolveInfo) {
      requireValidLines('InventoryQuantityInput', input.quantities)
      const result = runOnce(context, keyFault, info, input, () => setQuantities(shop, input))
      return groupView(context, result, input)
    },
    inventoryAdjustQuantities({ input }: { input: AdjustInput }, _: unknown, info: GraphQLResolveInfo) {
      requireValidLines('InventoryChangeInput', input.changes)
      const result = runOnce(context, keyFault, info, input, () => adjustQuantities(shop, input))
      return groupView(context, result, input)
    },
    inventoryItemUpdate({ id, input }: { id: string; input: { cost?: string | null } }) {
      const [found] = findItem(shop, id)
      if (!found) {
        const missing = activateError('id', "The product couldn't be updated because it does not exist.")
        return { inventoryItem: null, userErrors: [missing] }
      }
      if (Number(input.cost ?? 0) < 0) {
        const negative = activateError('cost', 'Cost must be greater than or equal to 0')
        return { inventoryItem: null, userErrors: [negative] }
      }
      const { product, slot, variant } = found
      if (input.cost !== undefined) {
        const cost = input.cost === null ? null : Number(input.cost).toFixed(costDigits(shop.facts.currency))
        const variantId = shop.gid('ProductVariant', shop.catalogue.variantId(product, slot))
        shop.editProduct(shop.catalogue.productId(product), { variants: [{ id: variantId, cost }] })
      }
      return { inventoryItem: views.item({ product, slot: variant.itemSlot }), userErrors: [] }
    },
    inventoryActivate(args: ActivateArgs, _: unknown, info: GraphQLResolveInfo) {
      const key = findLevelKey(shop, args)
      const run = () => ({ made: [], errors: isLevelKey(key) ? activate(shop, key, args) : [key] })
      const { errors } = runOnce(context, keyFault, info, args, run)
      const level = errors.length === 0 && isLevelKey(key) ? views.level(key, shop.stock.level(key)) : null
      return { inventoryLevel: level, userErrors: errors }
    },
  }
}

/** The platform keeps costs in the minor unit of the currency. */
const costDigits = (currency: string) =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits

function findItem(shop: Shop, inventoryItemId: string) {
  const gid = parseGid(shop.namespace, inventoryItemId)
  const item = gid?.type === 'InventoryItem' ? shop.catalogue.itemKey(gid.id) : undefined
  return item ? shop.catalogue.variantsOfItem(item) : []
}

const isLevelKey = (found: LevelKey | UserError): found is LevelKey => 'item' in found

/** Errors of this mutation have no code. */
const activateError = (field: string, message: string) => userError('', [field], message)

function findLevelKey(shop: Shop, { inventoryItemId, locationId }: ActivateArgs): LevelKey | UserError {
  const gid = parseGid(shop.namespace, inventoryItemId)
  const item = gid?.type === 'InventoryItem' ? shop.catalogue.itemKey(gid.id) : undefined
  if (!item || shop.catalogue.variantsOfItem(item).length === 0)
    return activateError('inventoryItemId', 'The inventory item could not be found.')
  const location = findLocation(shop, locationId)
  return location === undefined || !shop.locations[location]?.isActive
    ? activateError('locationId', 'The location could not be found.')
    : { item, location }
}

/** Activating an active level changes nothing; a quantity is an error then. */
function activate(shop: Shop, key: LevelKey, { available, onHand }: ActivateArgs): UserError[] {
  const quantity = available ?? onHand
  const isActive = shop.stock.level(key) !== undefined
  if (isActive && quantity != null) {
    const message = 'Not allowed to set available quantity when the item is already active at the location.'
    return [activateError('available', message)]
  }
  if (!isActive) shop.setLevels([{ ...key, available: quantity ?? 0 }])
  return []
}
