import { type Static, Type } from '@sinclair/typebox'

// Webhook payloads: only the fields that the service reads, no stricter than the platform's own types. Other fields are
// allowed. Ids are numbers of up to 20 digits (`shared/lossless-json.ts`).

const Digits = Type.Union([Type.Integer({ minimum: 1 }), Type.String({ pattern: '^[1-9]\\d{0,19}$' })])
const Unset = Type.Null()
const text = () => Type.Optional(Type.Union([Type.String(), Unset]))
const Instant = Type.String({ format: 'date-time' })
/** Without it, the time of the delivery counts (`ReadDelivery.happenedAt`). */
const OptionalInstant = Type.Optional(Type.Union([Instant, Unset]))

export const OrderPayload = Type.Object({
  id: Digits,
  created_at: OptionalInstant,
  line_items: Type.Array(
    Type.Object({
      id: Digits,
      // Null for custom items, tips and deleted products.
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
  updated_at: OptionalInstant,
  // The platform sends only the first hundred.
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
  // Null: the platform does not track the stock of this item.
  available: Type.Union([Type.Integer({ minimum: -1_000_000_000, maximum: 1_000_000_000 }), Unset]),
  updated_at: OptionalInstant,
})
export type InventoryLevelPayload = Static<typeof InventoryLevelPayload>

/** The domain of a shop, under the names that the platforms use. */
export const ShopPayload = Type.Object({
  id: Type.Optional(Type.Unknown()),
  myshopify_domain: text(),
  shop_domain: text(),
  domain: text(),
})
