import { Type } from '@sinclair/typebox'
import { growShop, withPatience } from '../dev/demo/large-shop.ts'
import { type Db, row, sql } from '../shared/db/db.ts'
import { verifyStockBatch } from '../shared/domain/stock/verify.ts'
import { type BenchShop, makeBenchShop } from './system.ts'

/** What the platform tells of one level. */
export type LevelNews = { item: number; place: number; available: number; updatedAt: string }

/** A shop whose stock is told by its platform, and what was told. */
export type StockShop = BenchShop & {
  /** So many numbers that are news, each for another level while there are enough of them. */
  nextNews: (count: number) => LevelNews[]
  /** Throws unless every level holds what was told last, and is the sum of its movements. */
  checkLevels: () => Promise<void>
}

/** Every variant has an inventory item, stock at two places and a reorder rule. */
export async function makeStockShop(db: Db, databaseUrl: string, variants: number): Promise<StockShop> {
  const shop = await makeBenchShop(db)
  const { shopId } = shop
  await withPatience(databaseUrl, async (patient) => {
    await growShop(patient, shop, { variants, sales: variants * 10, orders: 500 })
    await patient.query(sql.typeAlias('void')`
      update variant
      set inventory_item_gid = replace(gid, 'ProductVariant', 'InventoryItem')
      where shop_id = ${shopId}
    `)
    await patient.query(sql.typeAlias('void')`analyze`)
  })
  const startedAt = Date.now()
  const told = new Map<number, LevelNews>()
  let next = 0
  return {
    ...shop,
    nextNews: (count) =>
      Array.from({ length: count }, () => {
        const item = 1 + (next % variants)
        const turn = Math.floor(next / variants)
        next += 1
        // a piece more each time, which brings a few below their reorder points and others above them
        const available = (item + turn) % 97
        const updatedAt = new Date(startedAt + turn * 1_000).toISOString()
        const news = { item, place: 1 + (item % 2), available, updatedAt }
        told.set(item, news)
        return news
      }),
    async checkLevels() {
      const wrong = await countWrongLevels(db, shopId, [...told.values()])
      if (wrong > 0) throw new Error(`${wrong} of ${told.size} levels are not what the platform has told`)
      for (let after: number | null = 0; after !== null; ) {
        const { differences, lastVariantId } = await verifyStockBatch(db, shopId, after)
        if (differences.length > 0) throw new Error(`${differences.length} levels are not their movements`)
        after = lastVariantId
      }
    },
  }
}

const Count = Type.Object({ count: Type.Integer() })

function countWrongLevels(db: Db, shopId: number, told: readonly LevelNews[]): Promise<number> {
  const rows = told.map(({ item, place, available }) => [
    `gid://platform/InventoryItem/${item}`,
    `gid://platform/Location/${place}`,
    available,
  ])
  return db.oneFirst(sql.type(row(Count))`
    select count(*)
    from ${sql.unnest(rows, ['text', 'text', 'int4'])} as told (item, place, available)
    left join variant v on v.shop_id = ${shopId} and v.inventory_item_gid = told.item
    left join location w on w.shop_id = ${shopId} and w.gid = told.place
    left join stock_level l on l.shop_id = ${shopId} and l.variant_id = v.id and l.location_id = w.id
    where l.quantity is distinct from told.available or l.platform_quantity is distinct from told.available
  `)
}
