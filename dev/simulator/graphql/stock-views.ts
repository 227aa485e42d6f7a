import type { FoundVariant } from '../shops/catalogue.ts'
import { parseGid } from '../shops/ids.ts'
import type { SlotKey } from '../shops/numbering.ts'
import { instant } from '../shops/seed.ts'
import type { Shop } from '../shops/shop.ts'
import { isQuantityName, type Level, type LevelKey, quantityOf } from '../shops/stock.ts'
import { levelGid, levelNumber } from '../webhooks/shop-payloads.ts'
import { allVariants } from './catalogue-views.ts'
import { connection, filtered, listed, type PageArgs, padded } from './listing.ts'
import { fail, type View, type ViewContext } from './view.ts'

/** Each inventory item once, as the first variant that uses it. */
export const allItems = (shop: Shop) =>
  filtered(allVariants(shop), ({ slot, variant, inProduct }) =>
    variant.itemSlot === slot
      ? true
      : !inProduct.variants.some(
          (other) => other.slot !== slot && other.itemSlot === variant.itemSlot && other.slot < slot,
        ),
  )

export const itemOf = ({ product, variant }: FoundVariant): SlotKey => ({ product, slot: variant.itemSlot })

export function itemView({ shop, views }: ViewContext, key: SlotKey | undefined): View | null {
  const users = key ? shop.catalogue.variantsOfItem(key) : []
  const [first] = users
  if (!key || !first) return null
  const { variant } = first
  const id = shop.catalogue.itemId(key.product, key.slot)
  const levels = () => shop.stock.levelsOfItem(key)
  return {
    __typename: 'InventoryItem',
    id: shop.gid('InventoryItem', id),
    legacyResourceId: id,
    sku: variant.sku,
    tracked: variant.tracked,
    requiresShipping: variant.requiresShipping,
    unitCost: variant.cost === null ? null : { amount: variant.cost, currencyCode: shop.facts.currency },
    measurement: {
      __typename: 'InventoryItemMeasurement',
      id: shop.gid('InventoryItemMeasurement', id),
      weight: variant.weight == null ? null : { value: variant.weight, unit: 'KILOGRAMS' },
    },
    createdAt: variant.createdAt,
    updatedAt: variant.itemUpdatedAt ?? variant.updatedAt,
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
      return views.level({ item: key, location }, shop.stock.level({ item: key, location }))
    },
    inventoryLevels: (args: PageArgs) =>
      connection(
        args,
        listed(levels(), ({ location }) => padded(location)),
        ({ location, level }) => views.level({ item: key, location }, level),
      ),
  }
}

export function levelView(
  { shop, views }: ViewContext,
  key: LevelKey,
  level: Level | undefined,
): View | null {
  const location = shop.locations[key.location]
  if (!level || !location) return null
  const itemId = shop.catalogue.itemId(key.item.product, key.item.slot)
  return {
    __typename: 'InventoryLevel',
    id: levelGid(shop.namespace, location, itemId),
    isActive: true,
    canDeactivate: level.committed === 0 && level.incoming === 0,
    createdAt: instant(shop.state.openedAt),
    updatedAt: level.updatedAt,
    item: () => views.item(key.item),
    location: () => views.location(key.location),
    quantities: ({ names }: { names: string[] }) =>
      names.map((name) => {
        if (!isQuantityName(name))
          throw fail('INVALID_FIELD_ARGUMENTS', `'${name}' is not the name of a quantity.`)
        return {
          __typename: 'InventoryQuantity',
          id: `${shop.gid('InventoryQuantity', levelNumber(location))}?inventory_item_id=${itemId}&name=${name}`,
          name,
          quantity: quantityOf(level, name),
          updatedAt: level.changedAt[name] ?? null,
        }
      }),
  }
}

export function locationView({ shop, views }: ViewContext, index: number): View | null {
  const location = shop.locations[index]
  if (!location || location.isDeleted) return null
  const { id, name, isActive, shipsInventory, address, phone } = location
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
    createdAt: location.createdAt,
    updatedAt: location.updatedAt,
    deactivatedAt: location.deactivatedAt,
    address: {
      ...address,
      phone,
      formatted: [
        address.address1,
        address.address2,
        `${address.city} ${address.zip}`,
        address.country,
      ].filter(Boolean),
    },
    inventoryLevel({ inventoryItemId }: { inventoryItemId: string }) {
      const item = shop.catalogue.itemKey(parseGid(shop.namespace, inventoryItemId)?.id ?? '')
      return item ? views.level({ item, location: index }, shop.stock.level({ item, location: index })) : null
    },
    inventoryLevels(args: PageArgs) {
      const stocked = filtered(
        allItems(shop),
        (found) => shop.stock.level({ item: itemOf(found), location: index }) !== undefined,
      )
      return connection(args, stocked, (found) => {
        const key = { item: itemOf(found), location: index }
        return views.level(key, shop.stock.level(key))
      })
    },
  }
}

/** The index of a location in its shop; `undefined` when the shop has no location with this id. */
export function findLocation(shop: Shop, gid: string): number | undefined {
  const { type, id } = parseGid(shop.namespace, gid) ?? {}
  const index = shop.locations.findIndex(
    (location) => type === 'Location' && location.id === id && !location.isDeleted,
  )
  return index < 0 ? undefined : index
}
