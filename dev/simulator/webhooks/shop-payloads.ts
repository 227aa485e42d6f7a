import { makeGid, type Namespace } from '../shops/ids.ts'
import type { Location } from '../shops/locations.ts'
import type { LocationFacts, ShopFacts, Variant } from '../shops/seed.ts'
import type { Level } from '../shops/stock.ts'
import { localTime } from './body.ts'
import type { ComplianceTopic } from './topics.ts'

/**
 * The id of a level. Its number is neither the location's nor the item's, so clients cannot derive one from the
 * other.
 */
export const levelGid = (namespace: Namespace, location: LocationFacts, itemId: string) =>
  `${makeGid(namespace, 'InventoryLevel', levelNumber(location))}?inventory_item_id=${itemId}`

export const levelNumber = ({ id }: LocationFacts) => String(BigInt(id) + 48_000_000_007n)

type LevelShop = { facts: ShopFacts; namespace: Namespace }
type TrackedLevel = { itemId: string; location: LocationFacts; level: Level; tracked: boolean }

/** The body of inventory_levels/update and inventory_levels/connect. `available` is null for untracked items. */
export function levelPayload(
  { facts, namespace }: LevelShop,
  { itemId, location, level, tracked }: TrackedLevel,
) {
  return {
    inventory_item_id: BigInt(itemId),
    location_id: BigInt(location.id),
    available: tracked ? level.available : null,
    updated_at: localTime(level.updatedAt, facts.timeZone),
    admin_graphql_api_id: levelGid(namespace, location, itemId),
  }
}

/** The body of locations/create, update, activate and deactivate. */
export function locationPayload({ facts, namespace }: LevelShop, location: Location) {
  const { address, phone } = location
  return {
    id: BigInt(location.id),
    name: location.name,
    address1: address.address1,
    address2: address.address2 ?? null,
    city: address.city,
    zip: address.zip,
    province: address.province ?? null,
    province_code: address.provinceCode ?? null,
    country: address.countryCode,
    country_code: address.countryCode,
    country_name: address.country,
    phone: phone || null,
    created_at: localTime(location.createdAt, facts.timeZone),
    updated_at: localTime(location.updatedAt, facts.timeZone),
    legacy: false,
    active: location.isActive,
    admin_graphql_api_id: makeGid(namespace, 'Location', location.id),
  }
}

/** The body of inventory_items/update. It does not name the variants. */
export function itemPayload({ facts, namespace }: LevelShop, itemId: string, variant: Variant) {
  return {
    id: BigInt(itemId),
    sku: variant.sku,
    created_at: localTime(variant.createdAt, facts.timeZone),
    updated_at: localTime(variant.itemUpdatedAt ?? variant.updatedAt, facts.timeZone),
    requires_shipping: variant.requiresShipping,
    cost: variant.cost,
    country_code_of_origin: null,
    province_code_of_origin: null,
    harmonized_system_code: null,
    tracked: variant.tracked,
    country_harmonized_system_codes: [],
    weight_value: variant.weight ?? 0,
    weight_unit: 'kg',
    admin_graphql_api_id: makeGid(namespace, 'InventoryItem', itemId),
  }
}

/** The body of app/uninstalled. As on the real platform it has no domain; the header has it. */
export function uninstalledPayload(facts: ShopFacts, primaryLocation: LocationFacts | undefined) {
  const { id, name, email, currency, timeZone, phone, address } = facts
  return {
    id: BigInt(id),
    name,
    email,
    domain: null,
    province: null,
    province_code: null,
    address2: null,
    country: address.countryCode,
    address1: address.address1,
    zip: address.zip,
    city: address.city,
    phone,
    country_code: address.countryCode,
    country_name: address.country,
    currency,
    customer_email: email,
    iana_timezone: timeZone,
    plan_name: 'basic',
    plan_display_name: 'Basic',
    primary_locale: 'en',
    shop_owner: name,
    enabled_presentment_currencies: [currency],
    created_at: null,
    updated_at: null,
    myshopify_domain: null,
    primary_location_id: primaryLocation ? BigInt(primaryLocation.id) : null,
  }
}

export type ComplianceDetails = { customerId?: string; orderIds?: string[] }

/** The body of a compliance topic. */
export function compliancePayload(
  topic: ComplianceTopic,
  shop: { domain: string; facts: ShopFacts },
  { customerId = '191167', orderIds = [] }: ComplianceDetails,
) {
  const shopFields = { shop_id: BigInt(shop.facts.id), shop_domain: shop.domain }
  if (topic === 'SHOP_REDACT') return shopFields
  const customer = { id: BigInt(customerId), email: `customer-${customerId}@example.com`, phone: null }
  const orders = orderIds.map(BigInt)
  return topic === 'CUSTOMERS_REDACT'
    ? { ...shopFields, customer, orders_to_redact: orders }
    : { ...shopFields, customer, orders_requested: orders, data_request: { id: 9999 } }
}
