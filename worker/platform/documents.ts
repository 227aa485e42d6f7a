import { type Static, Type } from '@sinclair/typebox'
import { after, document, gid, instant, nullable, page } from './document.ts'
import { inventoryDocuments } from './inventory-documents.ts'

const Subscription = Type.Object({
  id: Type.String(),
  topic: Type.String(),
  includeFields: Type.Array(Type.String()),
  endpoint: Type.Object({ callbackUrl: Type.Optional(Type.String()) }),
})
const SubscriptionInput = Type.Object({
  callbackUrl: Type.String(),
  includeFields: Type.Array(Type.String()),
})
export const SubscriptionChange = Type.Object({
  webhookSubscription: nullable(Subscription),
  userErrors: Type.Array(Type.Object({ field: nullable(Type.Array(Type.String())), message: Type.String() })),
})

export type SubscriptionChange = Static<typeof SubscriptionChange>

const Product = Type.Object({
  id: gid('Product'),
  title: Type.String(),
  status: Type.String(),
  vendor: Type.String(),
  productType: Type.String(),
  tags: Type.Array(Type.String()),
  // 1 point of a query's cost, `featuredMedia` with its preview 3; not in every document
  featuredImage: Type.Optional(nullable(Type.Object({ url: Type.String() }))),
  updatedAt: instant,
})
export type ProductNode = Static<typeof Product>

const Variant = Type.Object({
  id: gid('ProductVariant'),
  title: Type.String(),
  sku: nullable(Type.String()),
  barcode: nullable(Type.String()),
  createdAt: Type.Optional(instant),
  price: Type.String({ pattern: '^-?[0-9]{1,15}(\\.[0-9]+)?$' }),
  inventoryItem: Type.Object({
    id: gid('InventoryItem'),
    tracked: Type.Boolean(),
    updatedAt: instant,
    unitCost: nullable(Type.Object({ amount: Type.String() })),
    measurement: Type.Object({
      weight: nullable(Type.Object({ value: Type.Number(), unit: Type.String() })),
    }),
  }),
})
export type VariantNode = Static<typeof Variant>

const Money = Type.Object({
  shopMoney: Type.Object({ amount: Type.String({ pattern: '^-?[0-9]{1,15}(\\.[0-9]+)?$' }) }),
})
const OrderLine = Type.Object({
  id: gid('LineItem'),
  quantity: Type.Integer(),
  currentQuantity: Type.Integer(),
  unfulfilledQuantity: Type.Integer(),
  variant: nullable(Type.Object({ id: gid('ProductVariant') })),
  originalUnitPriceSet: Money,
  discountAllocations: Type.Array(Type.Object({ allocatedAmountSet: Money })),
  taxLines: Type.Array(Type.Object({ priceSet: Money })),
})
export type OrderLineNode = Static<typeof OrderLine>
const OrderLines = page(OrderLine)
const Order = Type.Object({
  id: gid('Order'),
  createdAt: instant,
  processedAt: instant,
  updatedAt: instant,
  cancelledAt: nullable(instant),
  test: Type.Boolean(),
  taxesIncluded: Type.Boolean(),
  displayFulfillmentStatus: Type.String(),
  lineItems: OrderLines,
})
export type OrderNode = Static<typeof Order>
const lineItem = Type.Object({ id: gid('LineItem') })
const RefundLines = page(Type.Object({ quantity: Type.Integer(), restockType: Type.String(), lineItem }))
const FulfillmentLines = page(Type.Object({ quantity: nullable(Type.Integer()), lineItem }))

const text = nullable(Type.String())
const Location = Type.Object({
  id: gid('Location'),
  name: Type.String(),
  isActive: Type.Boolean(),
  updatedAt: instant,
  address: Type.Object({
    address1: text,
    address2: text,
    city: text,
    province: text,
    zip: text,
    country: text,
    countryCode: text,
    phone: text,
  }),
})

/** Every query and mutation that we send. Tests check them against the platform's schema of 2026-07. */
export const documents = {
  ...inventoryDocuments,
  webhookSubscriptions: document(
    'webhook-subscriptions',
    Type.Object({ first: Type.Integer(), after }),
    Type.Object({ webhookSubscriptions: page(Subscription) }),
  ),
  createWebhookSubscription: document(
    'create-webhook-subscription',
    Type.Object({ topic: Type.String(), webhookSubscription: SubscriptionInput }),
    Type.Object({ webhookSubscriptionCreate: SubscriptionChange }),
  ),
  updateWebhookSubscription: document(
    'update-webhook-subscription',
    Type.Object({ id: Type.String(), webhookSubscription: SubscriptionInput }),
    Type.Object({ webhookSubscriptionUpdate: SubscriptionChange }),
  ),
  locations: document(
    'locations',
    Type.Object({ first: Type.Integer(), after }),
    Type.Object({
      shop: Type.Object({
        name: Type.String(),
        email: Type.String(),
        currencyCode: Type.String({ pattern: '^[A-Z]{3}$' }),
        ianaTimezone: Type.String({ minLength: 1 }),
      }),
      primary: nullable(Type.Object({ id: gid('Location') })),
      locations: page(Location),
    }),
  ),
  variants: document(
    'variants',
    Type.Object({ first: Type.Integer(), after, query: nullable(Type.String()) }),
    Type.Object({
      productVariants: page(Type.Object({ ...Variant.properties, product: Product })),
    }),
  ),
  product: document(
    'product',
    Type.Object({ id: gid('Product'), first: Type.Integer(), after }),
    Type.Object({
      product: nullable(Type.Object({ ...Product.properties, variants: page(Variant) })),
    }),
  ),
  inventoryItems: document(
    'inventory-items',
    Type.Object({ ids: Type.Array(Type.String()) }),
    Type.Object({
      nodes: Type.Array(
        nullable(
          Type.Union([
            Type.Object({
              id: gid('InventoryItem'),
              tracked: Type.Boolean(),
              variants: Type.Object({
                nodes: Type.Array(Type.Composite([Variant, Type.Object({ product: Product })])),
              }),
            }),
            Location,
          ]),
        ),
      ),
    }),
  ),
  orders: document(
    'orders',
    Type.Object({
      first: Type.Integer(),
      after,
      query: nullable(Type.String()),
      sortKey: Type.Union([Type.Literal('CREATED_AT'), Type.Literal('UPDATED_AT')]),
      lines: Type.Integer(),
    }),
    Type.Object({
      orders: page(Order),
    }),
  ),
  orderChanges: document(
    'order-changes',
    Type.Object({ id: gid('Order'), records: Type.Integer(), lines: Type.Integer() }),
    Type.Object({
      order: nullable(
        Type.Object({
          refunds: Type.Array(Type.Object({ id: gid('Refund'), refundLineItems: RefundLines })),
          fulfillments: Type.Array(
            Type.Object({
              id: gid('Fulfillment'),
              status: Type.String(),
              fulfillmentLineItems: FulfillmentLines,
            }),
          ),
        }),
      ),
    }),
  ),
  orderLines: document(
    'order-lines',
    Type.Object({ id: gid('Order'), first: Type.Integer(), after }),
    Type.Object({ order: nullable(Type.Object({ lineItems: OrderLines })) }),
  ),
  refundLines: document(
    'refund-lines',
    Type.Object({ id: gid('Refund'), first: Type.Integer(), after }),
    Type.Object({ refund: nullable(Type.Object({ refundLineItems: RefundLines })) }),
  ),
  fulfillmentLines: document(
    'fulfillment-lines',
    Type.Object({ id: gid('Fulfillment'), first: Type.Integer(), after }),
    Type.Object({ fulfillment: nullable(Type.Object({ fulfillmentLineItems: FulfillmentLines })) }),
  ),
}
