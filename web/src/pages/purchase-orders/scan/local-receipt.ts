import type { PurchaseOrderStatus } from '../../../../../shared/schemas/purchase-orders.ts'
import type { OrderReceipt } from '../../../../../shared/schemas/receipts.ts'
import { openLocalStore } from '../../../browser/local-store.ts'
import type { GoodsDocument, GoodsEntry, GoodsScan } from '../../../components/scan/goods/state.ts'
import type { Sending } from '../../../components/scan/sender.ts'

/** What the device keeps to answer scans without a network. */
export type OrderSnapshot = {
  poNumber: string
  currency: string
  status?: PurchaseOrderStatus
  document: GoodsDocument
}

/** A request that saves the draft. */
export type DraftBody = {
  receiptId: number
  version: number
  lines: {
    lineItemId: number
    accepted: number
    rejected: number
    rejectReason: string
    rejectOutcome: 'replace' | 'credit' | null
    unitCost: number | null
  }[]
}

/** Local storage of a person's receipt of an order. */
export const openReceiptStores = (person: string, orderId: number) => {
  const label = `receipt ${person} order ${orderId}`
  return {
    entries: openLocalStore<GoodsEntry>(`${label} entry`),
    scans: openLocalStore<GoodsScan>(`${label} scan`),
    sending: openLocalStore<Sending<GoodsEntry, DraftBody>>(`${label} sending`),
    /** `stored`: the draft as the API acknowledged it last. */
    draft: openLocalStore<OrderReceipt>(`${label} draft`),
    /** Of the request that creates the draft: `key` is its idempotency key, `location` the location that was chosen for it. */
    creating: openLocalStore<string>(`${label} creating`),
    snapshot: openLocalStore<OrderSnapshot>(`${label} snapshot`),
  }
}

export type ReceiptStores = ReturnType<typeof openReceiptStores>

export const storedDraft = ({ draft }: ReceiptStores): OrderReceipt | null =>
  draft.all().find(([name]) => name === 'stored')?.[1] ?? null

export const storeDraft = ({ draft }: ReceiptStores, receipt: OrderReceipt) => draft.put('stored', receipt)

/** The next scans go into a new draft, whose creation has a new idempotency key. */
export function forgetDraft({ draft, creating }: ReceiptStores): void {
  draft.remove('stored')
  creating.remove('key')
}

/** Removes everything that the device keeps of a receipt, once it is posted or deleted. */
export function clearReceipt(stores: ReceiptStores): void {
  for (const store of Object.values(stores)) {
    for (const [name] of store.all()) store.remove(name)
  }
}
