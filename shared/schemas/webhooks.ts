import { type Static, type TSchema, Type } from '@sinclair/typebox'

// Webhook payloads: only the fields that the service reads, no stricter than the platform's own types. A field of these
// schemas is requested from the platform and stored; all others are not (`shared/domain/kit/webhook-fields/projection.ts`). Do not
// add personal data. The platform drops a webhook that equals the one before, so a topic that repeats has a time field.
// Ids are numbers of up to 20 digits (`shared/lossless-json.ts`).

const Digits = Type.Union([Type.Integer({ minimum: 1 }), Type.String({ pattern: '^[1-9]\\d{0,19}$' })])
const Unset = Type.Null()
const text = () => Type.Optional(Type.Union([Type.String(), Unset]))
const Instant = Type.String({ format: 'date-time' })

const Units = Type.Integer({ minimum: 0, maximum: 1_000_000_000 })
const optional = <T extends TSchema>(type: T) => Type.Optional(Type.Union([type, Unset]))

/** The whole order, with its refunds and shipments (topics ORDERS_CREATE and ORDERS_UPDATED). */
export const OrderPayload = Type.Object({
  id: Digits,
  // Without it, the time of the delivery counts (`ReadDelivery.happenedAt`).
  created_at: optional(Instant),
  // The day on which the order counts: of one that another system took, before it was created here. Missing until the subscriptions are repaired.
  processed_at: optional(Instant),
  updated_at: optional(Instant),
  cancelled_at: text(),
  test: optional(Type.Boolean()),
  taxes_included: optional(Type.Boolean()),
  line_items: Type.Array(
    Type.Object({
      id: Digits,
      // Null for custom items, tips and deleted products.
      variant_id: optional(Digits),
      // What was ordered, with units that an edit or a refund has removed.
      quantity: Units,
      current_quantity: optional(Units),
      // Units that are still to be shipped.
      fulfillable_quantity: optional(Units),
      // All amounts are in the shop's currency.
      price: text(),
      total_discount: text(),
      discount_allocations: optional(Type.Array(Type.Object({ amount: text() }))),
      tax_lines: optional(Type.Array(Type.Object({ price: text() }))),
    }),
  ),
  refunds: optional(
    Type.Array(
      Type.Object({
        refund_line_items: optional(
          Type.Array(Type.Object({ line_item_id: Digits, quantity: Units, restock_type: text() })),
        ),
      }),
    ),
  ),
  fulfillments: optional(
    Type.Array(
      Type.Object({
        status: text(),
        line_items: optional(Type.Array(Type.Object({ id: Digits, quantity: Units }))),
      }),
    ),
  ),
})
export type OrderPayload = Static<typeof OrderPayload>

export const ProductPayload = Type.Object({
  id: Digits,
  title: Type.String(),
  status: text(),
  vendor: text(),
  product_type: text(),
  // Separated by commas.
  tags: text(),
  // Of the product's first picture. Missing until the subscriptions are repaired.
  image: optional(Type.Object({ src: text() })),
  updated_at: optional(Instant),
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
  updated_at: optional(Instant),
})
export type InventoryLevelPayload = Static<typeof InventoryLevelPayload>

export const InventoryItemPayload = Type.Object({
  id: Digits,
  cost: Type.Optional(Type.Union([Type.String(), Type.Number(), Unset])),
  tracked: Type.Boolean(),
  weight_value: optional(Type.Number()),
  weight_unit: text(),
  updated_at: Type.Optional(Instant),
})
export type InventoryItemPayload = Static<typeof InventoryItemPayload>

export const LocationPayload = Type.Object({
  id: Digits,
  name: Type.String(),
  active: Type.Boolean(),
  address1: text(),
  address2: text(),
  city: text(),
  province: text(),
  zip: text(),
  country_name: text(),
  country_code: text(),
  phone: text(),
  updated_at: Type.Optional(Instant),
})
export type LocationPayload = Static<typeof LocationPayload>

/** Marks a field that a body of this topic does not have: stored, so that the job can refuse the body, but not requested. */
const ofOtherTopics = () => Type.Optional(Type.Unknown({ isOfOtherTopics: true }))

/** Of a deleted order, product or location: only its id. */
export const DeletedPayload = Type.Object({
  id: Digits,
  line_items: ofOtherTopics(),
  variants: ofOtherTopics(),
  active: ofOtherTopics(),
  tracked: ofOtherTopics(),
})
export type DeletedPayload = Static<typeof DeletedPayload>

/** A shop, with its domain under the names that the platforms use. */
export const ShopPayload = Type.Object({
  id: Type.Optional(Type.Unknown()),
  myshopify_domain: text(),
  shop_domain: text(),
  domain: text(),
  line_items: ofOtherTopics(),
  variants: ofOtherTopics(),
  inventory_item_id: ofOtherTopics(),
  active: ofOtherTopics(),
  // Requests about customers' data name the shop, too.
  shop_id: ofOtherTopics(),
  data_request: ofOtherTopics(),
  orders_requested: ofOtherTopics(),
  orders_to_redact: ofOtherTopics(),
})
export type ShopPayload = Static<typeof ShopPayload>

const Orders = Type.Optional(Type.Union([Type.Array(Digits), Unset]))

/** A customer asks the merchant which data is stored about them. Their id and e-mail address are not read. */
export const DataRequestPayload = Type.Object({
  shop_domain: Type.String(),
  orders_requested: Orders,
  data_request: Type.Optional(Type.Object({ id: Type.Optional(Digits) })),
})
export type DataRequestPayload = Static<typeof DataRequestPayload>

/** A customer's data has to be removed. Their id and e-mail address are not read. */
export const RedactionPayload = Type.Object({ shop_domain: Type.String(), orders_to_redact: Orders })
export type RedactionPayload = Static<typeof RedactionPayload>
