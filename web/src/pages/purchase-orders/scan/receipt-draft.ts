import type { PurchaseOrderStatus } from '../../../../../shared/schemas/purchase-orders.ts'
import type { OrderReceipt, Receipt } from '../../../../../shared/schemas/receipts.ts'
import { ApiError } from '../../../api/api-error.ts'
import { type GoodsResolution, openGoodsDraft, openGoodsQueue } from '../../../components/scan/goods/draft.ts'
import type { GoodsDocument, GoodsEntry } from '../../../components/scan/goods/state.ts'
import { createSender, type Sending } from '../../../components/scan/sender.ts'
import { isSynced } from '../../../components/scan/state.ts'
import { clearReceipt, type DraftBody, forgetDraft, type ReceiptStores, storeDraft } from './local-receipt.ts'
import { bodyOf, entriesOf, goodsOf, hasStored, type OrderGoods } from './receipt-goods.ts'

const maxEntriesPerRequest = 1_000

export type LoadedReceipt = {
  orderId: number
  poNumber: string
  currency: string
  status: PurchaseOrderStatus
  document: GoodsDocument
  receipt: OrderReceipt | null
  /** Drafts of this person that another page or device has created. */
  offered: readonly Receipt[]
  stores: ReceiptStores
}

/** The requests of a draft. */
export type ReceiptPorts = {
  /** Without a location, the draft is one of the order's location. */
  create: (locationId: string | undefined, key: string) => Promise<OrderReceipt>
  save: (body: DraftBody, key: string) => Promise<OrderReceipt>
  read: (receiptId: number) => Promise<OrderReceipt>
  /** Names the line of a code that the device does not know. */
  find: (document: GoodsDocument, text: string) => Promise<GoodsResolution>
}

/**
 * The draft receipt of a person and an order, which works without a connection:
 * 1. Each scan is an entry of the queue; local storage keeps it in its order.
 * 2. The sender adds the entries to the draft as the API has it, and stores the sums with the draft's version.
 * 3. After `stale_version`, as when the same person scans on a second device, it adds the same entries to the newer draft.
 * 4. After another page has deleted the draft, what it had goes into a new draft before the entries; a posted draft stays as it is.
 */
export function openReceiptDraft(
  { document, receipt, stores }: Pick<LoadedReceipt, 'document' | 'receipt' | 'stores'>,
  ports: ReceiptPorts,
) {
  const initial: OrderGoods = receipt
    ? goodsOf(receipt, document)
    : { document, receipt: null, counted: new Map() }
  const queue = openGoodsQueue<OrderGoods>(initial, stores)
  const goods = openGoodsDraft(queue, {
    find: (_, text) => ports.find(queue.state().document, text),
    canExceed: true,
  })

  const sender = createSender(queue, {
    store: stores.sending,
    maxEntries: maxEntriesPerRequest,
    prepare: async (batch) => bodyOf(queue.state().receipt ?? (await create()), batch),
    send: async (body: DraftBody, key) => changeOf(await ports.save(body, key)),
    onRefused,
  })

  function changeOf(stored: OrderReceipt): OrderGoods {
    storeDraft(stores, stored)
    return goodsOf(stored, queue.state().document)
  }

  async function create(): Promise<OrderReceipt> {
    const { key = crypto.randomUUID(), location: locationId } = Object.fromEntries(stores.creating.all())
    stores.creating.put('key', key)
    const created = await ports.create(locationId, key)
    queue.update(changeOf(created))
    return created
  }

  /** Reads the draft again when another device has changed, posted or deleted it. */
  async function onRefused(
    { body, batch }: Sending<GoodsEntry, DraftBody>,
    error: unknown,
  ): Promise<boolean> {
    if (!(error instanceof ApiError) || (error.status !== 409 && error.status !== 404)) return false
    const now = await readAgain(body.receiptId)
    if (now === 'failed') return false
    if (now === null) return true
    const change = changeOf(now)
    if (hasStored(now, body)) queue.clear(batch, change)
    else queue.update(change)
    return error.code === 'stale_version'
  }

  /** The draft as it is now; null when it is posted or deleted: the next entries go into a new one. */
  async function readAgain(receiptId: number): Promise<OrderReceipt | null | 'failed'> {
    try {
      const now = await ports.read(receiptId)
      if (now.state !== 'posted') return now
      startAnew('posted', goodsOf(now, queue.state().document).document)
      return null
    } catch (failure) {
      if (!(failure instanceof ApiError) || failure.status !== 404) return 'failed'
      const { counted, document } = queue.state()
      startAnew('deleted', document)
      // the goods have arrived all the same
      queue.putFirst(entriesOf(counted))
      return null
    }
  }

  function startAnew(ended: OrderGoods['ended'], document: GoodsDocument): void {
    forgetDraft(stores)
    queue.update({ receipt: null, counted: new Map(), document, ended })
  }

  const syncNow = () => sender.sendAll(() => isSynced(queue.state()))

  return {
    ...goods,
    state: queue.state,
    /** Creates the draft at a location, for an order that has none in use. */
    createAt: (locationId: string) => {
      stores.creating.put('location', locationId)
      return syncNow()
    },
    /** Sends immediately, and resolves to whether the API has stored everything. */
    syncNow,
    /** Runs another request on the draft, while no scan is being sent. */
    change: async (send: (receipt: OrderReceipt) => Promise<OrderReceipt>): Promise<OrderReceipt | null> =>
      sender.exclusively(async () => {
        const current = queue.state().receipt
        if (!current) return null
        const stored = await send(current)
        queue.update(changeOf(stored))
        return stored
      }),
    /** Shows the draft as another page has left it. */
    refresh: async (): Promise<void> =>
      sender.exclusively(async () => {
        const current = queue.state().receipt
        const now = current && (await readAgain(current.id))
        if (now && now !== 'failed') queue.update(changeOf(now))
      }),
    /** The merchant has read what became of the last draft. */
    acknowledge: () => queue.update({ ended: undefined }),
    /** Forgets the receipt on this device. */
    clear: (): void => {
      goods.discard()
      clearReceipt(stores)
    },
    start: () => {
      sender.start()
      goods.start()
    },
    stop: () => {
      goods.stop()
      sender.stop()
    },
  }
}

export type ReceiptDraft = ReturnType<typeof openReceiptDraft>
