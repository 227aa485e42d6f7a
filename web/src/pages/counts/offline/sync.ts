import type {
  FilledStockCount,
  StockCount,
  StockCountItemInput,
} from '../../../../../shared/schemas/stock-counts.ts'
import { ApiError } from '../../../api/api-error.ts'
import { toServerTime } from '../../../api/server-clock.ts'
import type { LocalStore } from '../../../browser/local-store.ts'
import { createSender, type Sending } from '../../../components/scan/sender.ts'
import type { CountQueue } from './local-count.ts'
import { type Entry, type Refusal, unreadItems } from './state.ts'

/** The API's limit of items in one request to a count. */
const maxItemsPerRequest = 5000

/** The worker compares saved numbers with the stock in the shop within seconds. */
const refreshMs = 1_500
/** A count that was opened without a network is read until the API answers. */
const awayMs = 5_000

type Items = StockCountItemInput[]
export type CountSending = Sending<Entry, Items>

export type CountPorts = {
  sending: LocalStore<CountSending>
  send: (items: Items, key?: string) => Promise<StockCount>
  /** Adds every product that is stocked at the location as not counted. */
  fill: () => Promise<FilledStockCount>
  read: (signal?: AbortSignal) => Promise<StockCount>
  /** Keeps the newest count for a visit without a network. */
  keep: (count: StockCount) => void
  /** The count is the one of an earlier visit, since the API did not answer. */
  isKept: boolean
}

/** Sends the numbers. While saved numbers are not compared with the shop's stock yet, reads the count every 1.5 s. */
export function createSync(queue: CountQueue, ports: CountPorts) {
  const { sending: store, send, fill, read, keep, isKept } = ports
  let isStale = isKept
  let refreshTimer: ReturnType<typeof setTimeout> | undefined
  let stopped = new AbortController()
  const sender = createSender(queue, {
    store,
    maxEntries: maxItemsPerRequest,
    prepare: (batch): Items =>
      batch.map(([variantId, { counted, at }]) => ({
        variantId,
        countedQuantity: counted,
        countedAt: toServerTime(at),
      })),
    send: async (items, key) => show(await send(items, key)),
    onStored: scheduleRefresh,
    onRefused,
  })

  function show(count: StockCount): { count: StockCount } {
    isStale = false
    keep(count)
    return { count }
  }

  function scheduleRefresh(): void {
    clearTimeout(refreshTimer)
    const isDue = isStale || unreadItems(queue.state().count).length > 0
    if (isDue && !stopped.signal.aborted) refreshTimer = setTimeout(refresh, isStale ? awayMs : refreshMs)
  }

  async function refresh(): Promise<void> {
    if (!sender.isBusy()) {
      await sender.exclusively(async () => {
        try {
          queue.update(show(await read(stopped.signal)))
        } catch {
          // the next turn tries again
        }
      })
    }
    scheduleRefresh()
  }

  /** After products were added: a repeated request gets its first answer, with numbers that are older than later scans. */
  async function readAgain(): Promise<void> {
    queue.update(show(await read()))
  }

  /** Moves each refused number to the scans, so that it does not block the others. */
  function onRefused({ batch }: CountSending, error: unknown): boolean {
    const faults = itemFaults(error)
    const fault = refusalOf(error)
    for (const [at, message] of faults) {
      const entry = batch[at]?.[1]
      if (!entry) continue
      const found = [{ ...entry.product, isTracked: true }]
      const code = entry.product.variantId
      queue.putScan({ code, times: entry.counted ?? 0, fault, found, message })
    }
    queue.clear(batch.filter((_, at) => faults.has(at)))
    return faults.size > 0
  }

  return {
    sendAll: sender.sendAll,
    /** Adds products as not counted, by their ids. Throws the error of the API. */
    addMany: (variantIds: readonly string[]): Promise<void> =>
      sender.exclusively(async () => {
        const items = variantIds.map((variantId) => ({ variantId, countedQuantity: null }))
        await send(items)
        await readAgain()
      }),
    /** Returns how many products were added. Throws the error of the API. */
    addAll: (): Promise<number> =>
      sender.exclusively(async () => {
        const { addedItemCount } = await fill()
        await readAgain()
        return addedItemCount
      }),
    start: () => {
      stopped = new AbortController()
      sender.start()
      scheduleRefresh()
    },
    stop: () => {
      stopped.abort()
      clearTimeout(refreshTimer)
      sender.stop()
    },
  }
}

const refusalOf = (error: unknown): Refusal => {
  const code = error instanceof ApiError ? error.code : ''
  return code === 'same_person' || code === 'not_in_recount' ? code : 'refused'
}

function itemFaults(error: unknown): Map<number, string> {
  const details = error instanceof ApiError ? error.details : []
  const found = details.flatMap(({ path, message }) => {
    const at = /^\/items\/(\d+)/.exec(path)?.[1]
    return at === undefined ? [] : [[Number(at), message] as const]
  })
  return new Map(found)
}
