import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { Id } from '../../schemas/common.ts'
import { variantTitle } from '../catalogue/variants.ts'
import type { Sale } from '../sales/record.ts'

/*
 * Keeps `reorder_rule.current_stock`, and tells merchants of what runs low. Whoever changes stock locks its rules last:
 * documents, variants, levels, rules, each in the order of their ids. The stock of a rule is summed in the statement
 * after the one that locks it, so that of two who change different levels of a variant the second sees both.
 */

/**
 * Brings the rules of these variants in line with their levels, in the transaction that has changed those: their
 * stock, and the alert of each, which is raised below the reorder point plus the shop's threshold and resolved when
 * that is over. Without rules it is one look into an index.
 */
export async function refreshRules(tx: Db, shopId: number, variantIds: readonly number[]): Promise<void> {
  const ids = await lockRules(tx, shopId, sql.array([...new Set(variantIds)], 'int8'))
  if (ids.length === 0) return
  await tx.query(sql.typeAlias('void')`
    with rule as (${watchedRules(shopId, ids)}),
    kept as (
      update reorder_rule r
      set current_stock = rule.stock
      from rule
      where r.shop_id = ${shopId} and r.id = rule.id and r.current_stock <> rule.stock
    ),
    raised as (${raised(shopId)}),
    recovered as (
      select a.id
      from alert a
      where a.shop_id = ${shopId} and a.type = 'low_stock' and a.resolved_at is null
        and a.subject = any(array(select subject from rule where not is_low))
      order by a.id
      for no key update of a
    )
    update alert a
    set resolved_at = now()
    from recovered
    where a.shop_id = ${shopId} and a.id = recovered.id
  `)
}

/**
 * Tells of what these sales bring below its reorder point before the platform tells the new level (specification,
 * topic ORDERS_CREATE). The sales are recorded already. Resolves nothing, and leaves the rules' stock to the levels.
 */
export async function checkSoldVariants(tx: Db, shopId: number, sales: readonly Sale[]): Promise<void> {
  if (sales.length === 0) return
  const gids = sql.array([...new Set(sales.map(({ variantGid }) => variantGid))], 'text')
  const sold = sql.fragment`array(select id from variant where shop_id = ${shopId} and gid = any(${gids}))`
  const ids = await lockRules(tx, shopId, sold)
  if (ids.length === 0) return
  await tx.query(sql.typeAlias('void')`
    with rule as (${watchedRules(shopId, ids)})
    ${raised(shopId)}
  `)
}

const CheckedRule = Type.Object({ id: Id, variantId: Id })
const rulesPerBatch = 300

/**
 * Brings the next rules behind this one in line with their levels; answers the last of them, and null behind the last
 * of the shop. What became of variants meanwhile, deleted ones above all, ends their alerts here.
 */
export async function checkRules(tx: Db, shopId: number, afterRuleId: number): Promise<number | null> {
  const rules = await tx.any(sql.type(row(CheckedRule))`
    select id, variant_id
    from reorder_rule
    where shop_id = ${shopId} and id > ${afterRuleId}
    order by id
    limit ${rulesPerBatch}
  `)
  await refreshRules(
    tx,
    shopId,
    rules.map(({ variantId }) => variantId),
  )
  return rules.length < rulesPerBatch ? null : (rules.at(-1)?.id ?? null)
}

type Fragment = ReturnType<typeof sql.fragment>

async function lockRules(
  tx: Db,
  shopId: number,
  variantIds: Fragment | ReturnType<typeof sql.array>,
): Promise<readonly number[]> {
  return tx.anyFirst(sql.typeAlias('id')`
    select id
    from reorder_rule
    where shop_id = ${shopId} and variant_id = any(${variantIds})
    order by id
    for no key update
  `)
}

/**
 * Locked rules with their stock and what is left of it for their alerts: what was sold after the platform last told a
 * level of the variant is gone, though no level says so. Orders do not say where goods leave, so it is taken off the
 * rule of a location only when there is none of the variant elsewhere.
 */
function watchedRules(shopId: number, ids: readonly number[]): Fragment {
  return sql.fragment`
    select r.id, 'reorder_rule/' || r.id as subject, r.reorder_point, level.pieces as stock,
      level.pieces - sold.pieces as left_over,
      p.gid as product_gid, ${variantTitle} as title, w.name as location_name,
      coalesce(c.low_stock_alerts, true) as is_told,
      v.is_tracked and v.deleted_at is null and level.pieces - sold.pieces
        < r.reorder_point * (1 + coalesce(c.alert_threshold_percent, 0) / 100) as is_low
    from reorder_rule r
    join variant v on v.shop_id = r.shop_id and v.id = r.variant_id
    join product p on p.shop_id = v.shop_id and p.id = v.product_id
    left join location w on w.shop_id = r.shop_id and w.id = r.location_id
    left join alert_configuration c on c.shop_id = r.shop_id
    cross join lateral (
      select coalesce(sum(l.quantity) filter (where l.location_id = coalesce(r.location_id, l.location_id)), 0) as pieces,
        coalesce(max(l.platform_updated_at), 'infinity') as told_at,
        coalesce(bool_or(l.location_id <> r.location_id and l.quantity > 0), false) as is_elsewhere
      from stock_level l
      where l.shop_id = r.shop_id and l.variant_id = r.variant_id
    ) level
    cross join lateral (
      select coalesce(sum(sale.quantity), 0) as pieces
      from sale
      where sale.shop_id = v.shop_id and sale.variant_gid = v.gid and sale.ordered_at > level.told_at
        and not level.is_elsewhere
    ) sold
    where r.shop_id = ${shopId} and r.id = any(${sql.array([...ids], 'int8')})
  `
}

const raised = (shopId: number) => sql.fragment`
  insert into alert (shop_id, type, subject, message, product_gid)
  select ${shopId}, 'low_stock', subject,
    concat(
      title, ' is low', ' at ' || location_name, ': ', greatest(left_over, 0), ' left, reorder point ', reorder_point, '.'
    ),
    product_gid
  from rule
  where is_low and is_told
  order by id
  on conflict (shop_id, type, subject) where resolved_at is null do nothing
`
