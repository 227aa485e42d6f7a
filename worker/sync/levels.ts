import { applyReading } from '../../shared/domain/documents/stock-counts/apply-reading.ts'
import { listStockedVariants } from '../../shared/domain/ledgers/stock/stocked-variants.ts'
import { openLevelReader } from './read-levels.ts'
import type { ReadSyncPage } from './sync-page.ts'

/** Reads the stock levels of every variant; the cursor is the id of the page's last variant. */
export const readLevels: ReadSyncPage = async ({ api, db, shopId, sync, signal }) => {
  const reader = await openLevelReader(api, db, shopId, signal)
  const variants = await listStockedVariants(db, shopId, Number(sync.cursor ?? 0), reader.pageSize)
  const reading = await reader.read(variants)
  return {
    next: variants.length < reader.pageSize ? null : String(variants.at(-1)?.id),
    async store(tx) {
      await applyReading(tx, shopId, reading)
      return { levels: sync.counts.levels + reading.levels.length }
    },
  }
}
