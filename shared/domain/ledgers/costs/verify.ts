import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { Id, Nullable } from '../../../schemas/common.ts'
import { lockVariants } from '../stock/move.ts'
import { followUnitCosts } from './follow.ts'

/** A variant whose book cost is not what its cost movements lead to, which only a bug can cause. */
export const CostDifference = Type.Object({
  variantId: Id,
  variantGid: Type.String(),
  sku: Type.String(),
  averageCost: Nullable(Type.Number()),
  /** Of the newest movement. */
  ledger: Nullable(Type.Number()),
  /** Movements that do not continue the one before, or whose average is not what their numbers give. */
  wrongMovements: Type.Integer(),
})
export type CostDifference = Static<typeof CostDifference>

const Batch = Type.Object({
  lastVariantId: Nullable(Id),
  variants: Type.Integer(),
  differences: Type.Array(CostDifference),
})

const variantsPerBatch = 500

/**
 * Proves the costs of one batch of variants: each movement begins with the average of the one before, its average is
 * the formula of its numbers, and the last one's is the book cost. `repair` writes a movement from the ledger's average to
 * the book cost, which stays; a wrong movement in the middle is only reported.
 */
export function verifyCostBatch(
  db: Db,
  shopId: number,
  afterVariantId: number,
  { repair = false }: { repair?: boolean } = {},
): Promise<Static<typeof Batch> & { repaired: number }> {
  return db.transaction(async (tx) => {
    const batch = await tx.one(sql.type(row(Batch))`
      with page as (
        select id from variant where shop_id = ${shopId} and id > ${afterVariantId} order by id limit ${variantsPerBatch}
      ),
      batch as (
        select c.variant_id, c.average_cost
        from page
        join variant_cost c on c.shop_id = ${shopId} and c.variant_id = page.id
      ),
      movement as (
        select m.variant_id, m.average_after,
          row_number() over latest = 1 as is_last,
          m.average_before is distinct from lag(m.average_after) over oldest as is_detached,
          (m.receipt_id is not null or m.quantity <> 0) and m.average_after
            is distinct from average_after(m.on_hand_before, m.average_before, m.quantity, m.value) as is_wrong
        from cost_movement m
        where m.shop_id = ${shopId} and m.variant_id in (select variant_id from batch)
        window oldest as (partition by m.variant_id order by m.id), latest as (partition by m.variant_id order by m.id desc)
      ),
      proved as (
        select b.variant_id, b.average_cost, l.ledger, l.wrong
        from batch b
        cross join lateral (
          select max(m.average_after) filter (where m.is_last) as ledger,
            count(*) filter (where m.is_detached or m.is_wrong) as wrong
          from movement m
          where m.variant_id = b.variant_id
        ) l
      )
      select
        case when (select count(*) from page) = ${variantsPerBatch} then (select max(id) from page) end as last_variant_id,
        count(*) as variants,
        coalesce(jsonb_agg(jsonb_build_object(
          'variantId', p.variant_id, 'variantGid', v.gid, 'sku', v.sku, 'averageCost', p.average_cost,
          'ledger', p.ledger, 'wrongMovements', p.wrong
        ) order by p.variant_id) filter (where p.wrong > 0 or p.average_cost is distinct from p.ledger), '[]') as differences
      from proved p
      join variant v on v.shop_id = ${shopId} and v.id = p.variant_id
    `)
    const unequal = batch.differences.map(({ variantId }) => variantId)
    return { ...batch, repaired: repair && unequal.length > 0 ? await repairCosts(tx, shopId, unequal) : 0 }
  })
}

/**
 * Writes the movements of unit costs that another release stored, in batches of variants; returns the last variant of the
 * batch, null after the last batch.
 */
export function followUnitCostsBatch(db: Db, shopId: number, afterVariantId: number): Promise<number | null> {
  return db.transaction(async (tx) => {
    const ids = await tx.anyFirst(sql.typeAlias('id')`
      select id from variant
      where shop_id = ${shopId} and id > ${afterVariantId}
      order by id
      limit ${variantsPerBatch}
      for no key update
    `)
    if (ids.length > 0)
      await followUnitCosts(tx, shopId, sql.fragment`v.id = any(${sql.array([...ids], 'int8')})`)
    return ids.length === variantsPerBatch ? (ids.at(-1) ?? null) : null
  })
}

/** Writes a `repair` movement for each variant whose newest movement does not end with its book cost; returns how many. */
async function repairCosts(tx: Db, shopId: number, variantIds: readonly number[]): Promise<number> {
  await lockVariants(tx, shopId, variantIds)
  return tx.oneFirst(sql.type(row(Type.Object({ count: Type.Integer() })))`
    with written as (
      insert into cost_movement (
        shop_id, variant_id, cause, on_hand_before, average_before, average_after, last_cost_after, occurred_at
      )
      select ${shopId}, c.variant_id, 'repair', stock.on_hand, ledger.average_after, c.average_cost, c.last_cost,
        clock_timestamp()
      from variant_cost c
      cross join lateral (select on_hand from shop_stock(${shopId}, array[c.variant_id])) stock
      left join lateral (
        select m.average_after
        from cost_movement m
        where m.shop_id = ${shopId} and m.variant_id = c.variant_id
        order by m.id desc
        limit 1
      ) ledger on true
      where c.shop_id = ${shopId} and c.variant_id = any(${sql.array([...variantIds], 'int8')})
        and c.average_cost is distinct from ledger.average_after
      order by c.variant_id
      returning variant_id, occurred_at
    ),
    -- the margin report reads the ledger of variants whose row changed since its period began
    stored as (
      update variant_cost c
      set updated_at = w.occurred_at
      from written w
      where c.shop_id = ${shopId} and c.variant_id = w.variant_id
    )
    select count(*) from written
  `)
}
