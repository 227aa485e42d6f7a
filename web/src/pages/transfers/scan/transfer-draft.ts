import { ApiError } from '../../../api/api-error.ts'
import { request } from '../../../api/request.ts'
import { personId } from '../../../browser/host.ts'
import { type GoodsResolution, openGoodsDraft, openGoodsQueue } from '../../../components/scan/goods/draft.ts'
import { type Goods, type GoodsRow, goodsRows } from '../../../components/scan/goods/state.ts'
import { createSender } from '../../../components/scan/sender.ts'
import type { Product } from '../../../components/scan/state.ts'
import {
  openTransferStores,
  removeOtherSnapshots,
  type TransferSnapshot,
  type TransferStores,
} from './local-transfer.ts'
import type { ScanStep } from './scan-steps.ts'
import { documentOf } from './transfer-goods.ts'

/** The API receives at most 500 products in one request, however many scans they took. */
const maxEntriesPerRequest = 100_000

export type LoadedTransfer<B> = TransferSnapshot & { step: ScanStep<B>; stores: TransferStores<B> }

export type TransferPorts = {
  read: (id: number) => Promise<TransferSnapshot>
  /** The products with a code that no product of the transfer has. */
  find: (text: string) => Promise<readonly Product[]>
  /** Everything that was scanned is stored. */
  onDone: () => void
}

/** Reads a transfer with all codes of its products. Without an answer of the API, what this device kept of the last visit is used. */
export async function loadTransfer<B>(step: ScanStep<B>, id: number): Promise<LoadedTransfer<B>> {
  const person = await personId()
  const stores = openTransferStores<B>(step.store, person, id)
  try {
    const snapshot = await readTransfer(id)
    removeOtherSnapshots(step.store, person, id)
    stores.snapshot.put('transfer', snapshot)
    return { ...snapshot, step, stores }
  } catch (error) {
    const kept = stores.snapshot.all()[0]?.[1]
    if (!kept || !(error instanceof ApiError) || !error.isTransient) throw error
    return { ...kept, step, stores }
  }
}

export async function readTransfer(id: number): Promise<TransferSnapshot> {
  const params = { id }
  const [transfer, { codes }] = await Promise.all([
    request('GET /stock-transfers/:id', { params }),
    request('GET /stock-transfers/:id/codes', { params }),
  ])
  return { transfer, codes }
}

/**
 * The scans of goods that leave or arrive. They stay on this device until the merchant ships or receives them: one request then
 * has the sums, and it is repeated with its idempotency key, also after a reload, until the API answers.
 */
export function openTransferDraft<B>(
  { step, stores, ...snapshot }: LoadedTransfer<B>,
  { read, find, onDone }: TransferPorts,
) {
  const { id } = snapshot.transfer
  let allowNegative = false
  const kept = stores.entries.all().map(([, entry]) => entry.lineId)
  const document = documentOf(step, snapshot, new Set(kept))
  const queue = openGoodsQueue<Goods>({ document, counted: new Map() }, stores)
  const goods = openGoodsDraft(queue, {
    find: async (_, text) => absentFrom(step, await find(text)),
    canExceed: false,
  })
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
      if (queue.state().entries.size > 0) return void readAgain()
      stores.snapshot.remove('transfer')
      onDone()
    },
    // a colleague may have sent some of it: the message says so, and the lines show what is left
    onRefused: async () => {
      await readAgain()
      return false
    },
  })

  async function readAgain(): Promise<void> {
    try {
      const now = await read(id)
      stores.snapshot.put('transfer', now)
      const { entries, document: before } = queue.state()
      const scanned = new Set([...entries.values()].map(({ lineId }) => lineId))
      queue.update({ document: documentOf(step, now, scanned, before.lines) })
    } catch {
      // the lines stay as they were read
    }
  }

  function discard(): void {
    goods.discard()
    void readAgain()
  }

  return {
    ...goods,
    discard,
    /** Counts no more pieces of a line than are left; the merchant puts the others aside. */
    lowerToLeft: (row: GoodsRow): void => {
      const { outstanding, accepted, rejected, reason, outcome } = row
      const damaged = Math.min(rejected, outstanding)
      const rest = Math.min(accepted, outstanding - damaged)
      goods.set(row, {
        ...{ accepted: rest, rejected: damaged, reason, outcome },
      })
      const isEmpty = goodsRows(queue.state()).every((row) => row.accepted + row.rejected === 0)
      if (isEmpty) discard()
    },
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

function absentFrom<B>({ words }: ScanStep<B>, [product]: readonly Product[]): GoodsResolution {
  return {
    fault: 'unknown',
    found: [],
    ...(product && { message: `${product.title} ${words.absent}. Put it aside.` }),
  }
}
