import type { StockTransfer, TransferReceipt } from '../../../../../shared/schemas/stock-transfers.ts'
import { request, requestWithKey } from '../../../api/request.ts'
import { personId } from '../../../browser/host.ts'
import { openLocalStore } from '../../../browser/local-store.ts'
import { findByCode } from '../../../components/scan/find-by-code.ts'
import { type GoodsResolution, openGoodsDraft, openGoodsQueue } from '../../../components/scan/goods/draft.ts'
import {
  type Goods,
  type GoodsDocument,
  type GoodsEntry,
  type GoodsScan,
  withEntries,
} from '../../../components/scan/goods/state.ts'
import { createSender, type Sending } from '../../../components/scan/sender.ts'
import { linesByVariant } from '../variant-lines.ts'

/** The API receives at most 500 products in one request, however many scans they took. */
const maxEntriesPerRequest = 100_000

type Items = TransferReceipt['items']

/** Local storage of a person's scans of a transfer. */
const openTransferStores = (person: string, id: number) => {
  const label = `transfer ${person} ${id}`
  return {
    entries: openLocalStore<GoodsEntry>(`${label} entry`),
    scans: openLocalStore<GoodsScan>(`${label} scan`),
    sending: openLocalStore<Sending<GoodsEntry, Items>>(`${label} sending`),
  }
}

export type LoadedTransfer = { transfer: StockTransfer; stores: ReturnType<typeof openTransferStores> }

export async function loadTransfer(id: number): Promise<LoadedTransfer> {
  const [person, transfer] = await Promise.all([
    personId(),
    request('GET /stock-transfers/:id', { params: { id } }),
  ])
  return { transfer, stores: openTransferStores(person, id) }
}

/**
 * The scans of goods in transit. They stay on this device until the merchant receives them: one request then has the sums, and
 * it is repeated with its idempotency key, also after a reload, until the API answers.
 */
export function openTransferDraft(
  { transfer: { id, ...transfer }, stores }: LoadedTransfer,
  onDone: () => void,
) {
  const params = { id }
  const queue = openGoodsQueue<Goods>(
    { document: documentOf({ id, ...transfer }), counted: new Map() },
    stores,
  )
  const goods = openGoodsDraft(queue, { find: findElsewhere })
  const sender = createSender(queue, {
    store: stores.sending,
    maxEntries: maxEntriesPerRequest,
    isManual: true,
    prepare: (batch): Items => itemsOf(batch.map(([, entry]) => entry)),
    send: async (items, key) => {
      await requestWithKey('POST /stock-transfers/:id/receive', { params, body: { items } }, key)
      return {}
    },
    onStored: () => {
      // scans during the request are not received yet
      if (queue.state().entries.size === 0) onDone()
      else void readAgain()
    },
    // a colleague may have received some of it: the message says so, and the lines show what is left
    onRefused: async () => {
      await readAgain()
      return false
    },
  })

  async function readAgain(): Promise<void> {
    try {
      queue.update({ document: documentOf(await request('GET /stock-transfers/:id', { params })) })
    } catch {
      // the lines stay as they were read
    }
  }

  return {
    ...goods,
    /** Receives what is scanned, and resolves to whether the API has stored it. */
    receive: () => sender.sendAll(() => queue.state().entries.size === 0),
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

export type TransferDraft = ReturnType<typeof openTransferDraft>

/** What is in transit of each product. No more than that can be received. */
function documentOf(transfer: StockTransfer): GoodsDocument {
  const moving = linesByVariant(transfer).filter(({ inTransit }) => inTransit > 0)
  return {
    lines: moving.map(({ variantId, sku, barcode, title, inTransit }) => ({
      ...{ lineId: variantId, variantId, sku, barcode, title },
      ...{ outstanding: inTransit, allowed: inTransit },
    })),
    codes: moving.flatMap(({ variantId, sku, barcode }) => [
      { code: barcode, kind: 'barcode', lineId: variantId, pieces: 1 },
      { code: sku, kind: 'sku', lineId: variantId, pieces: 1 },
    ]),
  }
}

function itemsOf(entries: readonly GoodsEntry[]): Items {
  return [...withEntries(new Map(), entries)].flatMap(([variantId, { accepted, rejected }]) =>
    accepted + rejected > 0 ? [{ variantId, received: accepted, damaged: rejected }] : [],
  )
}

async function findElsewhere(code: string): Promise<GoodsResolution> {
  const [product] = await findByCode(code)
  const message = product && `${product.title} is not in transit on this transfer. Put it aside.`
  return { fault: 'unknown', found: [], message }
}
