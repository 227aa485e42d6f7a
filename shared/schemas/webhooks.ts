import { type Static, Type } from '@sinclair/typebox'

// What the platform sends: only the fields we read, and no stricter than the platform is. Whatever else is in a
// payload is left alone. Ids come as numbers of up to 20 digits (`shared/lossless-json.ts`).

const Digits = Type.Union([Type.Integer({ minimum: 1 }), Type.String({ pattern: '^[1-9]\\d{0,19}$' })])
const Unset = Type.Null()
const text = () => Type.Optional(Type.Union([Type.String(), Unset]))
const Instant = Type.String({ format: 'date-time' })

export const OrderPayload = Type.Object({
  id: Digits,
  created_at: Instant,
  line_items: Type.Array(
    Type.Object({
      id: Digits,
      // null for what is no product: custom items, tips, products that are gone
      variant_id: Type.Optional(Type.Union([Digits, Unset])),
      quantity: Type.Integer({ minimum: 0, maximum: 1_000_000_000 }),
    }),
  ),
})
export type OrderPayload = Static<typeof OrderPayload>

export const ProductPayload = Type.Object({
  id: Digits,
  title: Type.String(),
  status: text(),
  updated_at: Instant,
  // in full for the first hundred only
  variants: Type.Array(
    Type.Object({
      id: Digits,
      title: text(),
      sku: text(),
      barcode: text(),
      price: text(),
      inventory_item_id: Type.Optional(Type.Union([Digits, Unset])),
    }),
  ),
  variant_gids: Type.Optional(Type.Array(Type.Object({ admin_graphql_api_id: Type.String() }))),
})
export type ProductPayload = Static<typeof ProductPayload>

export const InventoryLevelPayload = Type.Object({
  inventory_item_id: Digits,
  location_id: Digits,
  // null: the platform does not count this item
  available: Type.Union([Type.Integer({ minimum: -1_000_000_000, maximum: 1_000_000_000 }), Unset]),
  updated_at: Type.Optional(Instant),
})
export type InventoryLevelPayload = Static<typeof InventoryLevelPayload>

/** Both topics that speak of the shop itself name its domain. */
export const ShopPayload = Type.Object({
  myshopify_domain: text(),
  shop_domain: text(),
  domain: text(),
})
export type ShopPayload = Static<typeof ShopPayload>
