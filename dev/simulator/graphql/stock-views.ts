import type { FoundVariant } from '../shops/catalogue.ts'
import { parseGid } from '../shops/ids.ts'
import type { Place } from '../shops/numbering.ts'
import { instant } from '../shops/seed.ts'
import type { Shop } from '../shops/shop.ts'
import type { Level, LevelPlace } from '../shops/stock.ts'
import { levelGid, levelNumber } from '../webhooks/shop-payloads.ts'
import { allVariants } from './catalogue-views.ts'
import { connection, filtered, listed, type PageArgs, padded } from './listing.ts'
import { fail, type View, type ViewContext } from './view.ts'

/** Each inventory item once: as the variant that it is first used by. */
export const allItems = (shop: Shop) =>
  filtered(allVariants(shop), ({ slot, variant, inProduct }) =>
    variant.itemSlot === slot
      ? true
      : !inProduct.variants.some(
          (other) => other.slot !== slot && other.itemSlot === variant.itemSlot && other.slot < slot,
        ),
  )

export const itemOf = ({ product, variant }: FoundVariant): Place => ({ product, slot: variant.itemSlot })

export function itemView({ shop, views }: ViewContext, place: Place | undefined): View | null {
  const users = place ? shop.catalogue.variantsOfItem(place) : []
  const [first] = users
  if (!place || !first) return null
  const { variant } = first
  const id = shop.catalogue.itemId(place.product, place.slot)
  const levels = () => shop.stock.levelsOfItem(place)
  return {
    __typename: 'InventoryItem',
    id: shop.gid('InventoryItem', id),
    legacyResourceId: id,
    sku: variant.sku,
    tracked: variant.tracked,
    requiresShipping: variant.requiresShipping,
    unitCost: variant.cost === null ? null : { amount: variant.cost, currencyCode: shop.facts.currency },
    createdAt: variant.createdAt,
    updatedAt: variant.updatedAt,
    locationsCount: () => ({ count: levels().length, precision: 'EXACT' }),
    variant: () => views.variant(first),
    variants: (args: PageArgs) =>
      connection(
        args,
        listed(users, ({ slot }) => padded(slot)),
        views.variant,
      ),
    inventoryLevel({ locationId }: { locationId: string }) {
      const location = findLocation(shop, locationId)
      if (location === undefined) return null
      return views.level({ item: place, location }, shop.stock.level({ item: place, location }))
    },
    inventoryLevels: (args: PageArgs) =>
      connection(
        args,
        listed(levels(), ({ location }) => padded(location)),
        ({ location, level }) => views.level({ item: place, location }, level),
      ),
  }
}

const quantityNames = [
  'available',
  'on_hand',
  'committed',
  'incoming',
  'reserved',
  'damaged',
  'quality_control',
  'safety_stock',
]

function quantityOf({ available, committed }: Level, name: string): number {
  if (name === 'available') return available
  if (name === 'committed') return committed
  return name === 'on_hand' ? available + committed : 0
}

export function levelView(
  { shop, views }: ViewContext,
  place: LevelPlace,
  level: Level | undefined,
): View | null {
  const location = shop.locations[place.location]
  if (!level || !location) return null
  const itemId = shop.catalogue.itemId(place.item.product, place.item.slot)
  return {
    __typename: 'InventoryLevel',
    id: levelGid(shop.namespace, location, itemId),
    isActive: true,
    canDeactivate: level.committed === 0,
    createdAt: instant(shop.state.openedAt),
    updatedAt: level.updatedAt,
    item: () => views.item(place.item),
    location: () => views.location(place.location),
    quantities: ({ names }: { names: string[] }) =>
      names.map((name) => {
        if (!quantityNames.includes(name))
          throw fail('INVALID_FIELD_ARGUMENTS', `'${name}' is not the name of a quantity.`)
        return {
          __typename: 'InventoryQuantity',
          id: `${shop.gid('InventoryQuantity', levelNumber(location))}?inventory_item_id=${itemId}&name=${name}`,
          name,
          quantity: quantityOf(level, name),
          updatedAt: level.updatedAt,
        }
      }),
  }
}

export function locationView({ shop, views }: ViewContext, index: number): View | null {
  const location = shop.locations[index]
  if (!location) return null
  const { id, name, isActive, shipsInventory, address } = location
  const at = instant(shop.state.openedAt)
  return {
    __typename: 'Location',
    id: shop.gid('Location', id),
    legacyResourceId: id,
    name,
    isActive,
    isFulfillmentService: false,
    isPrimary: index === shop.locations.findIndex((other) => other.shipsInventory),
    shipsInventory,
    fulfillsOnlineOrders: shipsInventory,
    hasActiveInventory: isActive,
    createdAt: at,
    updatedAt: at,
    deactivatedAt: isActive ? null : at,
    address: { ...address, formatted: [address.address1, `${address.city} ${address.zip}`, address.country] },
    inventoryLevel({ inventoryItemId }: { inventoryItemId: string }) {
      const item = shop.catalogue.itemPlace(parseGid(shop.namespace, inventoryItemId)?.id ?? '')
      return item ? views.level({ item, location: index }, shop.stock.level({ item, location: index })) : null
    },
    inventoryLevels(args: PageArgs) {
      const stocked = filtered(
        allItems(shop),
        (found) => shop.stock.level({ item: itemOf(found), location: index }) !== undefined,
      )
      return connection(args, stocked, (found) => {
        const place = { item: itemOf(found), location: index }
        return views.level(place, shop.stock.level(place))
      })
    },
  }
}

/** The place of a location in its shop; `undefined` when the shop has none of this id. */
export function findLocation(shop: Shop, gid: string): number | undefined {
  const { type, id } = parseGid(shop.namespace, gid) ?? {}
  const index = shop.locations.findIndex((location) => type === 'Location' && location.id === id)
  return index < 0 ? undefined : index
}
