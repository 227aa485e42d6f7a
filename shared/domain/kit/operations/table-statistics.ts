import { type Db, sql } from '../../../db/db.ts'
import type { SyncCounts } from '../../../schemas/sync.ts'

const tables = {
  locations: [],
  products: ['product'],
  variants: ['variant'],
  levels: ['stock_level', 'stock_movement'],
  orders: ['sale'],
} as const satisfies Record<keyof SyncCounts, readonly string[]>

const minRows = 1_000

/** Analyzes at 1 000 rows and each doubling: without statistics plans scan the shop, and autovacuum is too slow. */
export async function refreshStatistics(db: Db, before: SyncCounts, now: SyncCounts): Promise<void> {
  const grown = (Object.keys(tables) as (keyof SyncCounts)[])
    .filter((count) => doublings(now[count]) > doublings(before[count]))
    .flatMap((count) => tables[count])
  for (const table of grown) {
    await db.query(sql.typeAlias('void')`analyze ${sql.identifier([table])}`)
  }
}

const doublings = (rows: number) => (rows < minRows ? 0 : 1 + Math.floor(Math.log2(rows / minRows)))
