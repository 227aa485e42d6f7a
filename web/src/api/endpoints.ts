import type { Message, PageQuery } from '../../../shared/schemas/common.ts'
import type { Location } from '../../../shared/schemas/locations.ts'
import type { ProductFilter, ProductListItem } from '../../../shared/schemas/products.ts'
import type {
  CancelledPurchaseOrder,
  ClosedPurchaseOrder,
  CreatedPurchaseOrder,
  PurchaseOrder,
  PurchaseOrderFilter,
  PurchaseOrderInput,
  PurchaseOrderListItem,
  PurchaseOrderPatch,
  ReceivedPurchaseOrder,
  SendPurchaseOrder,
  SentPurchaseOrder,
} from '../../../shared/schemas/purchase-orders.ts'
import type {
  Receipt,
  ReceiptInput,
  ReceiptReversal,
  ReversedReceipt,
} from '../../../shared/schemas/receipts.ts'
import type { Settings } from '../../../shared/schemas/settings.ts'
import type {
  CreatedSupplier,
  Supplier,
  SupplierContact,
  SupplierContactInput,
  SupplierContactPatch,
  SupplierInput,
  SupplierListItem,
  SupplierPatch,
  UpdatedSupplier,
} from '../../../shared/schemas/suppliers.ts'

/** One record, by its address. */
type Read<Answer> = { answer: Answer }
/** A list, page by page. */
type Lists<Item, Query = PageQuery> = { query: Query; item: Item }
type Does<Body, Answer> = { body: Body; answer: Answer }

/**
 * What the admin asks of the API. All shapes are the server's own, so that one that changes there does not compile here;
 * that the addresses exist is tested (`test/web/endpoints.test.ts`).
 */
export type Endpoints = {
  'GET /settings': Read<Settings>
  'GET /locations': Read<readonly Location[]>
  'GET /products': Lists<ProductListItem, ProductFilter>

  'GET /suppliers': Lists<SupplierListItem>
  'POST /suppliers': Does<SupplierInput, CreatedSupplier>
  'GET /suppliers/:id': Read<Supplier>
  'PUT /suppliers/:id': Does<SupplierPatch, UpdatedSupplier>
  'DELETE /suppliers/:id': Read<Message>
  'POST /suppliers/:id/contacts': Does<SupplierContactInput, SupplierContact>
  'PUT /suppliers/:id/contacts/:contactId': Does<SupplierContactPatch, SupplierContact>
  'DELETE /suppliers/:id/contacts/:contactId': Read<Message>

  'GET /purchase-orders': Lists<PurchaseOrderListItem, PurchaseOrderFilter>
  'POST /purchase-orders': Does<PurchaseOrderInput, CreatedPurchaseOrder>
  'GET /purchase-orders/:id': Read<PurchaseOrder>
  'PUT /purchase-orders/:id': Does<PurchaseOrderPatch, PurchaseOrder>
  'DELETE /purchase-orders/:id': Read<Message>
  'POST /purchase-orders/:id/send': Does<SendPurchaseOrder, SentPurchaseOrder>
  'POST /purchase-orders/:id/cancel': Read<CancelledPurchaseOrder>
  'POST /purchase-orders/:id/close': Read<ClosedPurchaseOrder>
  'POST /purchase-orders/:id/receive': Does<ReceiptInput, ReceivedPurchaseOrder>
  'GET /purchase-orders/:id/receipts': Lists<Receipt>
  'POST /purchase-orders/:id/receipts/:receiptId/reverse': Does<ReceiptReversal, ReversedReceipt>
}

export type Endpoint = keyof Endpoints
export type ListEndpoint = { [E in Endpoint]: Endpoints[E] extends { item: unknown } ? E : never }[Endpoint]

/** The names in an address, as in `:id`. */
type NamesIn<E> = E extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<Rest>
  : E extends `${string}:${infer Name}`
    ? Name
    : never

export type Params<E extends Endpoint> = [NamesIn<E>] extends [never]
  ? { params?: undefined }
  : { params: Record<NamesIn<E>, number> }

export type Body<E extends Endpoint> = Endpoints[E] extends { body: infer B }
  ? { body: B }
  : { body?: undefined }
export type Answer<E extends Endpoint> = Endpoints[E] extends { answer: infer A } ? A : never
export type Item<E extends ListEndpoint> = Endpoints[E] extends { item: infer I } ? I : never
export type Query<E extends ListEndpoint> = Endpoints[E] extends { query: infer Q } ? Q : never
