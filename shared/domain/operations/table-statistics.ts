import { type Db, sql } from '../../db/db.ts'
import type { SyncCounts } from '../../schemas/sync.ts'

const tables = {
  locations: [],
  products: ['product'],
  variants: ['variant'],
  levels: ['stock_level', 'stock_movement'],
  orders: ['sale'],
} as const satisfies Record<keyof SyncCounts, readonly string[]>

const minRows = 1_000

/**
 * Lets Postgres look at the tables that a reading has filled since: at 1 000 rows, and each time they have doubled.
 * Until it has, it takes a shop that is new for empty, and goes through all of its rows where one would do; by itself
 * it looks once in a minute at most, and at large tables seldom.
 */
export async function refreshStatistics(db: Db, before: SyncCounts, now: SyncCounts): Promise<void> {
  const grown = (Object.keys(tables) as (keyof SyncCounts)[])
    .filter((count) => doublings(now[count]) > doublings(before[count]))
    .flatMap((count) => tables[count])
  for (const table of grown) {
    await db.query(sql.typeAlias('void')`analyze ${sql.identifier([table])}`)
  }
}

const doublings = (rows: number) => (rows < minRows ? 0 : 1 + Math.floor(Math.log2(rows / minRows)))
