import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { Id } from '../../schemas/common.ts'
import { variantTitle } from '../catalogue/variants.ts'
import type { Sale } from '../sales/record.ts'

/*
 * Maintains `reorder_rule.current_stock` and the low-stock alerts. Lock order of a stock change: documents, variants,
 * levels, rules, each by id. The stock is summed in a statement after the one that locks the rule. So of two concurrent
 * changes to different levels of a variant, the second sums both.
 */

/**
 * Updates the current stock of these variants' rules, and raises or resolves their alerts: an alert is open while the
 * stock is below the reorder point plus the shop's threshold. Must run in the transaction that changed the levels.
 * Costs one index lookup for variants without rules.
 */
export async function refreshRules(tx: Db, shopId: number, variantIds: readonly number[]): Promise<void> {
  const ids = await lockRules(tx, shopId, sql.array([...new Set(variantIds)], 'int8'))
  if (ids.length === 0) return
  await tx.query(sql.typeAlias('void')`
    with rule as (${rulesWithStock(shopId, ids)}),
    updated as (
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

/** Alerts before the platform reports the new level (specification, topic ORDERS_CREATE); resolves no alerts. */
export async function checkSoldVariants(tx: Db, shopId: number, sales: readonly Sale[]): Promise<void> {
  if (sales.length === 0) return
  const gids = sql.array([...new Set(sales.map(({ variantGid }) => variantGid))], 'text')
  const sold = sql.fragment`array(select id from variant where shop_id = ${shopId} and gid = any(${gids}))`
  const ids = await lockRules(tx, shopId, sold)
  if (ids.length === 0) return
  await tx.query(sql.typeAlias('void')`
    with rule as (${rulesWithStock(shopId, ids)})
    ${raised(shopId)}
  `)
}

const CheckedRule = Type.Object({ id: Id, variantId: Id })
const rulesPerBatch = 300

/** Refreshes the next rules; returns the last id, null after the last batch. Resolves alerts of deleted variants. */
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
 * SQL for locked rules with their stock and `left_over`: the stock minus the sales since the variant's last platform
 * update, which no level includes yet. Orders have no location, so a rule of one location subtracts them only if the
 * variant has no stock at other locations.
 */
function rulesWithStock(shopId: number, ids: readonly number[]): Fragment {
  return sql.fragment`
    select r.id, 'reorder_rule/' || r.id as subject, r.reorder_point, level.pieces as stock,
      level.pieces - sold.pieces as left_over,
      p.gid as product_gid, ${variantTitle('v', 'p')} as title, w.name as location_name,
      coalesce(c.low_stock_alerts, true) as has_alerts,
      v.is_tracked and v.deleted_at is null and level.pieces - sold.pieces
        < r.reorder_point * (1 + coalesce(c.alert_threshold_percent, 0) / 100) as is_low
    from reorder_rule r
    join variant v on v.shop_id = r.shop_id and v.id = r.variant_id
    join product p on p.shop_id = v.shop_id and p.id = v.product_id
    left join location w on w.shop_id = r.shop_id and w.id = r.location_id
    left join alert_configuration c on c.shop_id = r.shop_id
    cross join lateral (
      select coalesce(sum(l.quantity) filter (where l.location_id = coalesce(r.location_id, l.location_id)), 0) as pieces,
        coalesce(max(l.platform_updated_at), 'infinity') as reported_at,
        coalesce(bool_or(l.location_id <> r.location_id and l.quantity > 0), false) as is_elsewhere
      from stock_level l
      where l.shop_id = r.shop_id and l.variant_id = r.variant_id
    ) level
    cross join lateral (
      select coalesce(sum(sale.quantity), 0) as pieces
      from sale
      where sale.shop_id = v.shop_id and sale.variant_gid = v.gid and sale.ordered_at > level.reported_at
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
  where is_low and has_alerts
  order by id
  on conflict (shop_id, type, subject) where resolved_at is null do nothing
`
