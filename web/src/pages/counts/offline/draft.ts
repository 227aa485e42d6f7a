import type { StockCount } from '../../../../../shared/schemas/stock-counts.ts'
import { createCodeLookup, type FindByCode } from './lookup.ts'
import { type LocalStores, openEntryQueue } from './queue.ts'
import { type FoundProduct, isSynced, numberOf, type Product, rowsOf } from './state.ts'
import { createSync, type ReadCount, type SendItems } from './sync.ts'

type Ports = LocalStores & { send: SendItems; read: ReadCount; find: FindByCode }

/**
 * The count as this device shows it, which works without a connection:
 * 1. A scan or a typed number shows immediately, and local storage keeps it across page loads.
 * 2. The lookup asks the API for each code that is not in the count (`lookup.ts`).
 * 3. The sync sends the queued numbers until the API stores them (`sync.ts`).
 */
export function openCountDraft(count: StockCount, { send, read, find, ...stores }: Ports) {
  const queue = openEntryQueue(count, stores)
  const sync = createSync(queue, send, read)
  const lookup = createCodeLookup(queue, find)
  const isUnsynced = () => !isSynced(queue.state())
  return {
    state: queue.state,
    subscribe: queue.subscribe,
    scan: lookup.scan,
    chooseProduct: lookup.chooseProduct,
    lookUpAgain: lookup.lookUpAgain,
    dropScan: queue.dropScan,
    addMany: sync.addMany,
    set: (product: Product, counted: number | null): void => {
      if (numberOf(queue.state(), product.variantId) !== counted) queue.enter(product, counted)
    },
    /** Adds a product as not counted. For a product that is in the count already, only highlights its row. */
    add: ({ isTracked, ...product }: FoundProduct): void => {
      if (!isTracked) {
        const code = product.sku || product.title
        queue.putScan({ code, times: 0, fault: 'untracked', found: [{ ...product, isTracked }] })
        return
      }
      const isInCount = rowsOf(queue.state()).some(({ variantId }) => variantId === product.variantId)
      if (!isInCount) queue.enter(product, null)
      queue.highlight(product, 'added', numberOf(queue.state(), product.variantId))
    },
    /** Undoes the last scan, unless the number has changed since. */
    undoScan: (): void => {
      const { last } = queue.state()
      if (last && numberOf(queue.state(), last.product.variantId) === last.counted) {
        queue.enter(last.product, last.before)
      }
      queue.update({ last: null })
    },
    /** Sends immediately, and resolves to whether the API has stored everything. */
    syncNow: async (): Promise<boolean> => {
      queue.update({ syncFailure: 'none', syncError: null })
      void sync.send()
      while (isUnsynced() && queue.state().syncFailure === 'none') await queue.nextChange()
      return !isUnsynced()
    },
    discard: (): void => {
      queue.update({ syncFailure: 'none', syncError: null })
      queue.clear([...queue.state().entries])
    },
    start: () => {
      sync.start()
      lookup.start()
    },
    stop: () => {
      lookup.stop()
      sync.stop()
    },
  }
}

export type CountDraft = ReturnType<typeof openCountDraft>
