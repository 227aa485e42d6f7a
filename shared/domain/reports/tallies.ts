import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { lockInstalledShop } from '../shops/shops.ts'

/*
 * Exact counts of products and low rules, fast in large shops. A nightly job stores the counts in `shop_tally` and
 * marks in each row the state that it was counted in. An index finds the rows whose state has changed since.
 *
 *   mark                     meaning when it was set
 *   product.is_tallied       the product was visible
 *   reorder_rule.is_tallied  the rule was low
 *   variant.is_aside         the variant was deleted or untracked, so its rules were not counted
 *
 *   low rules now = stored count
 *     + 1 for each rule that became low, - 1 for each that is no longer low, of variants not marked aside
 *     + 1 for each low rule of a variant that is no longer aside, - 1 for each of a variant that became so
 *
 * Code that changes rows can ignore the counts, except that it must untally a rule before it deletes it or moves it to
 * another variant.
 */

const rowsPerBatch = 5_000

const isVisible = sql.fragment`(deleted_at is null and status <> '')`
const isAside = sql.fragment`(deleted_at is not null or not is_tracked)`
const isProductChanged = sql.fragment`${isVisible} <> is_tallied`
const isRuleChanged = sql.fragment`is_low <> is_tallied`
const isVariantChanged = sql.fragment`${isAside} <> is_aside`

const storedCount = (shopId: number, name: 'products' | 'low_rules') => sql.fragment`
  coalesce((select ${sql.identifier([name])} from shop_tally where shop_id = ${shopId}), 0)
`

/** SQL for the number of products that the platform has reported and not deleted. */
export const productCount = (shopId: number) => sql.fragment`
  ${storedCount(shopId, 'products')} + (
    select coalesce(sum(case when is_tallied then -1 else 1 end), 0)
    from product
    where shop_id = ${shopId} and ${isProductChanged}
  )
`

/** SQL for the number of rules at or below their point, without those of deleted or untracked variants. */
export const lowRuleCount = (shopId: number) => sql.fragment`
  ${storedCount(shopId, 'low_rules')} + (
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

/** Marks the next changed rows and stores the counts; returns whether more may be left. Skips locked rows. */
export function tallyBatch(db: Db, shopId: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await lockInstalledShop(tx, shopId))) return false
    await lockTally(tx, shopId)
    const marked = await tx.one(sql.type(row(Marked))`
      with product_due as (${changed(shopId, 'product', isProductChanged)}),
      rule_due as (${changed(shopId, 'reorder_rule', isRuleChanged)}),
      variant_due as (${changed(shopId, 'variant', isVariantChanged)}),
      product_marked as (
        update product set is_tallied = ${isVisible}
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

const changed = (shopId: number, table: string, isChanged: typeof isVisible) => sql.fragment`
  select id from ${sql.identifier([table])} where shop_id = ${shopId} and ${isChanged}
  limit ${rowsPerBatch}
  for no key update skip locked
`

/** Locks the counts and marks until the transaction ends; must precede the locks of variants and `untallyRule`. */
export async function lockTally(tx: Db, shopId: number): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    insert into shop_tally as t (shop_id) values (${shopId})
    on conflict (shop_id) do update set products = t.products
  `)
}

/** Removes a rule from the stored count and clears its mark, before it is deleted or moved to another variant. */
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
