import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { lockInstalledShop } from '../shops/shops.ts'

/*
 * How many there are of what large shops have many of, exact at every moment. A night writes the numbers down, and in
 * each row what it was then: a product that is shown, a rule that is low (both `is_tallied`), a variant that nobody
 * counts (`is_aside`). What is something else by now is found by an index, and added or taken off. So whoever changes
 * rows knows nothing of this, and waits for nobody. Only a rule that goes, or goes to another variant, is untallied.
 *
 *   number now = number then
 *     + each rule that was of a counted variant then: 1 when it has become low, -1 when it is not any more
 *     + each low rule of a variant that has changed since: 1 when that is counted now, -1 when it is not
 */

const rowsPerBatch = 5_000

const isShown = sql.fragment`(deleted_at is null and status <> '')`
const isAside = sql.fragment`(deleted_at is not null or not is_tracked)`
const isProductChanged = sql.fragment`${isShown} <> is_tallied`
const isRuleChanged = sql.fragment`is_low <> is_tallied`
const isVariantChanged = sql.fragment`${isAside} <> is_aside`

const written = (shopId: number, name: 'products' | 'low_rules') => sql.fragment`
  coalesce((select ${sql.identifier([name])} from shop_tally where shop_id = ${shopId}), 0)
`

/** The products that the platform has told and not deleted. */
export const productCount = (shopId: number) => sql.fragment`
  ${written(shopId, 'products')} + (
    select coalesce(sum(case when is_tallied then -1 else 1 end), 0)
    from product
    where shop_id = ${shopId} and ${isProductChanged}
  )
`

/** The rules at or below their point, but for those of variants that are deleted or that nobody counts. */
export const lowRuleCount = (shopId: number) => sql.fragment`
  ${written(shopId, 'low_rules')} + (
    select coalesce(sum(case when r.is_tallied then -1 else 1 end), 0)
    from reorder_rule r
    where r.shop_id = ${shopId} and ${isRuleChanged}
      and not (select v.is_aside from variant v where v.shop_id = r.shop_id and v.id = r.variant_id)
  ) + (
    select coalesce(sum(
      (case when is_aside then 1 else -1 end)
        * (select count(*) from reorder_rule r where r.shop_id = v.shop_id and r.variant_id = v.id and r.is_low)
    ), 0)
    from variant v
    where v.shop_id = ${shopId} and ${isVariantChanged}
  )
`

const Marked = Type.Object({ products: Type.Integer(), rules: Type.Integer(), variants: Type.Integer() })

/**
 * Writes the numbers down, and what some more rows are; answers whether more may be left. A row that somebody is
 * changing has its turn the next time.
 */
export function tallyBatch(db: Db, shopId: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await lockInstalledShop(tx, shopId))) return false
    await lockTally(tx, shopId)
    const marked = await tx.one(sql.type(row(Marked))`
      with product_due as (${changed(shopId, 'product', isProductChanged)}),
      rule_due as (${changed(shopId, 'reorder_rule', isRuleChanged)}),
      variant_due as (${changed(shopId, 'variant', isVariantChanged)}),
      product_marked as (
        update product set is_tallied = ${isShown}
        where shop_id = ${shopId} and id = any(array(select id from product_due))
        returning 1
      ),
      rule_marked as (
        update reorder_rule set is_tallied = is_low
        where shop_id = ${shopId} and id = any(array(select id from rule_due))
        returning 1
      ),
      variant_marked as (
        update variant set is_aside = ${isAside}
        where shop_id = ${shopId} and id = any(array(select id from variant_due))
        returning 1
      )
      select (select count(*) from product_marked) as products, (select count(*) from rule_marked) as rules,
        (select count(*) from variant_marked) as variants
    `)
    await tx.query(sql.typeAlias('void')`
      update shop_tally
      set products = (select count(*) from product where shop_id = ${shopId} and is_tallied),
        low_rules = (
          select count(*)
          from reorder_rule r
          join variant v on v.shop_id = r.shop_id and v.id = r.variant_id
          where r.shop_id = ${shopId} and r.is_tallied and not v.is_aside
        ),
        tallied_at = now()
      where shop_id = ${shopId}
    `)
    return Math.max(...Object.values(marked)) === rowsPerBatch
  })
}

const changed = (shopId: number, table: string, isChanged: typeof isShown) => sql.fragment`
  select id from ${sql.identifier([table])} where shop_id = ${shopId} and ${isChanged}
  limit ${rowsPerBatch}
  for no key update skip locked
`

/**
 * Keeps the numbers and all marks as they are until the transaction ends. For who is about to untally a rule, before it locks
 * variants and rules.
 */
export async function lockTally(tx: Db, shopId: number): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    insert into shop_tally as t (shop_id) values (${shopId})
    on conflict (shop_id) do update set products = t.products
  `)
}

/** Takes a rule out of the number, and its mark away: it is about to be deleted, or to become one of another variant. */
export async function untallyRule(tx: Db, shopId: number, ruleId: number): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    with untallied as (
      update reorder_rule r
      set is_tallied = false
      from variant v
      where r.shop_id = ${shopId} and r.id = ${ruleId} and r.is_tallied and v.shop_id = r.shop_id and v.id = r.variant_id
      returning v.is_aside
    )
    update shop_tally
    set low_rules = low_rules - (select count(*) from untallied where not is_aside)
    where shop_id = ${shopId}
  `)
}
