import { Type } from '@sinclair/typebox'
import { growShop, withoutTimeouts } from '../../dev/demo/large-shop.ts'
import { type Db, row, sql } from '../../shared/db/db.ts'
import { verifyStockBatch } from '../../shared/domain/ledgers/stock/verify.ts'
import { type BenchShop, makeBenchShop } from './system.ts'

/** One stock level as the platform reports it. */
export type LevelUpdate = { item: number; location: number; available: number; updatedAt: string }

/** A shop that receives stock levels from its platform, with the updates sent so far. */
export type StockShop = BenchShop & {
  /** Makes `count` updates, each for another level while there are enough levels. */
  nextUpdates: (count: number) => LevelUpdate[]
  /** Throws unless every level has the quantity sent last and equals the sum of its movements. */
  checkLevels: () => Promise<void>
}

/** Each variant has an inventory item, stock at two locations and a reorder rule. */
export async function makeStockShop(db: Db, databaseUrl: string, variants: number): Promise<StockShop> {
  const shop = await makeBenchShop(db)
  const { shopId } = shop
  await withoutTimeouts(databaseUrl, async (patient) => {
    await growShop(patient, shop, { variants, sales: variants * 10, orders: 500 })
    await patient.query(sql.typeAlias('void')`
      update variant
      set inventory_item_gid = replace(gid, 'ProductVariant', 'InventoryItem')
      where shop_id = ${shopId}
    `)
    await patient.query(sql.typeAlias('void')`analyze`)
  })
  const startedAt = Date.now()
  const sent = new Map<number, LevelUpdate>()
  let next = 0
  return {
    ...shop,
    nextUpdates: (count) =>
      Array.from({ length: count }, () => {
        const item = 1 + (next % variants)
        const turn = Math.floor(next / variants)
        next += 1
        // one more each time, which moves some levels below their reorder points and others above them
        const available = (item + turn) % 97
        const updatedAt = new Date(startedAt + turn * 1_000).toISOString()
        const update = { item, location: 1 + (item % 2), available, updatedAt }
        sent.set(item, update)
        return update
      }),
    async checkLevels() {
      const wrong = await countWrongLevels(db, shopId, [...sent.values()])
      if (wrong > 0) throw new Error(`${wrong} of ${sent.size} levels differ from the updates sent`)
      for (let after: number | null = 0; after !== null; ) {
        const { differences, lastVariantId } = await verifyStockBatch(db, shopId, after)
        if (differences.length > 0)
          throw new Error(`${differences.length} levels differ from the sum of their movements`)
        after = lastVariantId
      }
    },
  }
}

const Count = Type.Object({ count: Type.Integer() })

function countWrongLevels(db: Db, shopId: number, sent: readonly LevelUpdate[]): Promise<number> {
  const rows = sent.map(({ item, location, available }) => [
    `gid://platform/InventoryItem/${item}`,
    `gid://platform/Location/${location}`,
    available,
  ])
  return db.oneFirst(sql.type(row(Count))`
    select count(*)
    from ${sql.unnest(rows, ['text', 'text', 'int4'])} as sent (item, location, available)
    left join variant v on v.shop_id = ${shopId} and v.inventory_item_gid = sent.item
    left join location w on w.shop_id = ${shopId} and w.gid = sent.location
    left join stock_level l on l.shop_id = ${shopId} and l.variant_id = v.id and l.location_id = w.id
    where l.quantity is distinct from sent.available or l.platform_quantity is distinct from sent.available
  `)
}
