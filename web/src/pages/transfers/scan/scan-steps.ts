import type {
  StockTransfer,
  TransferReceipt,
  TransferShipment,
} from '../../../../../shared/schemas/stock-transfers.ts'
import { requestWithKey } from '../../../api/request.ts'
import { type GoodsEntry, withEntries } from '../../../components/scan/goods/state.ts'
import type { VariantLine } from '../variant-lines.ts'

/** Shipping or receiving the goods of a transfer by scanning; `B` is the body of its request. */
export type ScanStep<B> = {
  /** In the names of what the device stores. */
  store: string
  /** The pieces of a product that can be scanned. */
  piecesOf: (line: VariantLine) => number
  binOf: (line: VariantLine) => string
  bodyOf: (entries: readonly GoodsEntry[], allowNegative: boolean) => B
  send: (id: number, body: B, key: string) => Promise<unknown>
  words: ScanWords
}

/** `send` is the verb of the button. */
type ScanWords = {
  heading: string
  send: string
  accepted: string
  /** Null: scanned goods cannot be damaged. */
  rejected: string | null
  empty: { title: string; text: string }
  /** Of a product that cannot be scanned: "Mug is not in transit on this transfer." */
  absent: string
  /** Of a scanned product of which no piece is left, since a colleague has entered them or the transfer has ended. */
  gone: string
  /** Of the pieces that a scanned product has left: "2 scanned, 1 in transit". */
  left: string
  discarded: string
  done: (transfer: StockTransfer) => string
  /** What happens to the scanned pieces: "are added at Berlin". */
  effect: (transfer: StockTransfer) => { one: string; many: string }
  /** What happens to the others. */
  rest: { one: string; many: string }
}

export const receiving: ScanStep<TransferReceipt['items']> = {
  store: 'transfer',
  piecesOf: ({ inTransit }) => inTransit,
  binOf: ({ destinationBin }) => destinationBin,
  bodyOf: (entries) =>
    [...withEntries(new Map(), entries)].flatMap(([variantId, { accepted, rejected }]) =>
      accepted + rejected > 0 ? [{ variantId, received: accepted, damaged: rejected }] : [],
    ),
  send: (id, items, key) =>
    requestWithKey('POST /stock-transfers/:id/receive', { params: { id }, body: { items } }, key),
  words: {
    ...{ heading: 'Scan transfer', send: 'Receive', accepted: 'Received', rejected: 'Damaged' },
    empty: {
      title: 'Nothing is in transit',
      text: 'Go back to the transfer, and ship its goods first.',
    },
    absent: 'is not in transit on this transfer',
    gone: 'No longer in transit',
    left: 'in transit',
    discarded: 'These pieces stay in transit then. Scan them again.',
    done: () => 'Items received',
    effect: ({ destinationLocationName: at }) => ({ one: `is added at ${at}`, many: `are added at ${at}` }),
    rest: { one: 'stays in transit', many: 'stay in transit' },
  },
}

export const shipping: ScanStep<NonNullable<TransferShipment>> = {
  store: 'ship transfer',
  piecesOf: ({ toShip }) => toShip,
  binOf: ({ sourceBin }) => sourceBin,
  bodyOf: (entries, allowNegative) => ({
    items: [...withEntries(new Map(), entries)].flatMap(([variantId, { accepted }]) =>
      accepted > 0 ? [{ variantId, quantity: accepted }] : [],
    ),
    ...(allowNegative && { allowNegative }),
  }),
  send: (id, body, key) => requestWithKey('POST /stock-transfers/:id/ship', { params: { id }, body }, key),
  words: {
    ...{ heading: 'Scan to ship transfer', send: 'Ship', accepted: 'To ship', rejected: null },
    empty: {
      title: 'Nothing is left to ship',
      text: 'Go back to the transfer to receive what is in transit.',
    },
    absent: 'is not left to ship on this transfer',
    gone: 'No longer to ship',
    left: 'left to ship',
    discarded: 'These pieces are not shipped then. Scan them again.',
    done: ({ sourceLocationName }) => `Transfer shipped from ${sourceLocationName}`,
    effect: ({ sourceLocationName: from }) => ({ one: `leaves ${from}`, many: `leave ${from}` }),
    rest: { one: 'stays to be shipped', many: 'stay to be shipped' },
  },
}
