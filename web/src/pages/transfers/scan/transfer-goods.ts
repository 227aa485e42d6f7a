import type { StockTransfer } from '../../../../../shared/schemas/stock-transfers.ts'
import { request } from '../../../api/request.ts'
import { personId } from '../../../browser/host.ts'
import { openLocalStore } from '../../../browser/local-store.ts'
import { byBin } from '../../../components/bins/by-bin.ts'
import { findByCode } from '../../../components/scan/find-by-code.ts'
import { type GoodsResolution, openGoodsDraft, openGoodsQueue } from '../../../components/scan/goods/draft.ts'
import type { Goods, GoodsDocument, GoodsEntry, GoodsScan } from '../../../components/scan/goods/state.ts'
import { createSender, type Sending } from '../../../components/scan/sender.ts'
import { linesByVariant } from '../variant-lines.ts'
import type { ScanStep } from './scan-steps.ts'

/** The API receives at most 500 products in one request, however many scans they took. */
const maxEntriesPerRequest = 100_000

/** Local storage of a person's scans of a transfer. */
const openTransferStores = <B>({ store }: ScanStep<B>, person: string, id: number) => {
  const label = `${store} ${person} ${id}`
  return {
    entries: openLocalStore<GoodsEntry>(`${label} entry`),
    scans: openLocalStore<GoodsScan>(`${label} scan`),
    sending: openLocalStore<Sending<GoodsEntry, B>>(`${label} sending`),
  }
}

export type LoadedTransfer<B> = {
  transfer: StockTransfer
  step: ScanStep<B>
  stores: ReturnType<typeof openTransferStores<B>>
}

export async function loadTransfer<B>(step: ScanStep<B>, id: number): Promise<LoadedTransfer<B>> {
  const [person, transfer] = await Promise.all([
    personId(),
    request('GET /stock-transfers/:id', { params: { id } }),
  ])
  return { transfer, step, stores: openTransferStores(step, person, id) }
}

/**
 * The scans of goods that leave or arrive. They stay on this device until the merchant ships or receives them: one request then
 * has the sums, and it is repeated with its idempotency key, also after a reload, until the API answers.
 */
export function openTransferDraft<B>({ transfer, step, stores }: LoadedTransfer<B>, onDone: () => void) {
  const { id } = transfer
  let allowNegative = false
  const queue = openGoodsQueue<Goods>({ document: documentOf(step, transfer), counted: new Map() }, stores)
  const goods = openGoodsDraft(queue, { find: (code) => findElsewhere(step, code) })
  const sender = createSender(queue, {
    store: stores.sending,
    maxEntries: maxEntriesPerRequest,
    isManual: true,
    prepare: (batch): B =>
      step.bodyOf(
        batch.map(([, entry]) => entry),
        allowNegative,
      ),
    send: async (body, key) => {
      await step.send(id, body, key)
      return {}
    },
    onStored: () => {
      // scans during the request are not sent yet
      if (queue.state().entries.size === 0) onDone()
      else void readAgain()
    },
    // a colleague may have sent some of it: the message says so, and the lines show what is left
    onRefused: async () => {
      await readAgain()
      return false
    },
  })

  async function readAgain(): Promise<void> {
    try {
      queue.update({
        document: documentOf(step, await request('GET /stock-transfers/:id', { params: { id } })),
      })
    } catch {
      // the lines stay as they were read
    }
  }

  return {
    ...goods,
    /** Sends what is scanned, and resolves to whether the API has stored it. */
    send: (how: { allowNegative?: boolean } = {}) => {
      allowNegative = how.allowNegative ?? false
      return sender.sendAll(() => queue.state().entries.size === 0)
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

/** What can be scanned of each product, and no more, in the order of bins. */
function documentOf<B>({ piecesOf, binOf }: ScanStep<B>, transfer: StockTransfer): GoodsDocument {
  const isOpen = transfer.status !== 'completed' && transfer.status !== 'cancelled'
  const open = isOpen ? linesByVariant(transfer).filter((line) => piecesOf(line) > 0) : []
  return {
    lines: byBin(open, binOf).map((line) => {
      const { variantId, sku, barcode, title } = line
      const pieces = piecesOf(line)
      return {
        ...{ lineId: variantId, variantId, sku, barcode, title, bin: binOf(line) },
        ...{ outstanding: pieces, allowed: pieces },
      }
    }),
    codes: open.flatMap(({ variantId, sku, barcode }) => [
      { code: barcode, kind: 'barcode', lineId: variantId, pieces: 1 },
      { code: sku, kind: 'sku', lineId: variantId, pieces: 1 },
    ]),
  }
}

async function findElsewhere<B>({ words }: ScanStep<B>, code: string): Promise<GoodsResolution> {
  const [product] = await findByCode(code)
  const message = product && `${product.title} ${words.absent}. Put it aside.`
  return { fault: 'unknown', found: [], message }
}
