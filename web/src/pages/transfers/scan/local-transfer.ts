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

/**
 * Removes what the device kept of this person's other transfers, except of those with scans: local storage holds about 5 MB,
 * and the scans need room.
 */
export function removeOtherSnapshots(step: string, person: string, id: number): void {
  const store = openLocalStore<unknown>(`${step} ${person}`)
  const names = store.all().map(([name]) => name)
  const hasScans = (other: string) =>
    ['entry', 'scan', 'sending'].some((kind) => names.some((name) => name.startsWith(`${other} ${kind} `)))
  for (const name of names) {
    const other = /^(\d+) snapshot /.exec(name)?.[1]
    if (other !== undefined && other !== String(id) && !hasScans(other)) store.remove(name)
  }
}

export type TransferStores<B> = ReturnType<typeof openTransferStores<B>>
