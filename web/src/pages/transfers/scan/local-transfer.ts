import type { StockTransfer, TransferCode } from '../../../../../shared/schemas/stock-transfers.ts'
import { openLocalStore } from '../../../browser/local-store.ts'
import type { GoodsEntry, GoodsScan } from '../../../components/scan/goods/state.ts'
import type { Sending } from '../../../components/scan/sender.ts'

/** What the device keeps to answer scans without a network. */
export type TransferSnapshot = { transfer: StockTransfer; codes: readonly TransferCode[] }

/** Local storage of a person's scans of a transfer; `step` is the name of what is done with its goods. */
export const openTransferStores = <B>(step: string, person: string, id: number) => {
  const label = `${step} ${person} ${id}`
  return {
    entries: openLocalStore<GoodsEntry>(`${label} entry`),
    scans: openLocalStore<GoodsScan>(`${label} scan`),
    sending: openLocalStore<Sending<GoodsEntry, B>>(`${label} sending`),
    snapshot: openLocalStore<TransferSnapshot>(`${label} snapshot`),
  }
}

export type TransferStores<B> = ReturnType<typeof openTransferStores<B>>
