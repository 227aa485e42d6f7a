-- Updates the current stock of these variants' reorder rules, and raises or resolves their low-stock alerts: an alert is open while the
-- stock is below the reorder point plus the shop's threshold. With `is_only_raising` it changes no stock and resolves no alert.
-- Must run in the transaction that changed the levels. Costs one index lookup for variants without rules.
-- 1. Lock the rules by id: the last lock of a stock change, after documents, variants and levels.
-- 2. Sum the stock in a statement of its own, which sees what was committed before the lock: of two concurrent changes to different levels of
--    a variant, the second sums both. Subtract the sales that no level includes yet, without cancelled units, which stay on the shelf.
-- 3. Store the stock, and resolve the alerts of rules that are no longer low. The alerts are locked by id.
-- 4. Raise the alerts of low rules, each with the product's name and its figures: what is left, the reorder point, the location of the rule.
--    An open one has the current figures. `shared/domain/kit/alerts/message.ts` makes a sentence of them.
-- The others run only when there is something to write. A reading of the platform includes all orders before it, also those that move no stock.
-- Example: 20 pieces, reorder point 15, threshold 0: an order of 12 that no level includes leaves 8, and the alert says 8. After the next
-- reading, if the order moved no stock, 20 are left, and the alert is resolved.
-- Why SQL: atomic with the ledger: `move_stock` changes rules and alerts with the levels.
create or replace function refresh_rules(in_shop bigint, variant_ids bigint[], is_only_raising boolean default false)
returns void
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  rule_ids bigint[];
  stocks bigint[];
  -- the pieces that are left after the sales which no level includes yet
  left_overs bigint[];
  is_stale boolean;
  low_rule_ids bigint[];
  recovered_alert_ids bigint[];
begin
  -- 1. Lock the rules, in the order that every transaction uses.
  select array_agg(id) into rule_ids
  from (
    select id
    from reorder_rule
    where shop_id = in_shop and variant_id = any(variant_ids)
    order by id
    for no key update
  ) locked;
  if rule_ids is null then
    return;
  end if;

  -- 2. Sum the stock in a statement of its own, which sees what was committed before the lock.
  select array_agg(r.id), array_agg(level.pieces), array_agg(level.pieces - sold.pieces),
    bool_or(r.current_stock <> level.pieces),
    array_agg(r.id) filter (where state.is_low and coalesce(c.low_stock_alerts, true)),
    array_agg(a.id) filter (where not state.is_low and a.id is not null)
  into rule_ids, stocks, left_overs, is_stale, low_rule_ids, recovered_alert_ids
  from reorder_rule r
  join variant v on v.shop_id = in_shop and v.id = r.variant_id
  left join alert_configuration c on c.shop_id = in_shop
  left join alert a on a.shop_id = in_shop and a.type = 'low_stock' and a.subject = 'reorder_rule/' || r.id
    and a.resolved_at is null
  cross join lateral (
    select coalesce(sum(l.quantity) filter (where l.location_id = coalesce(r.location_id, l.location_id)), 0) as pieces,
      coalesce(
        max(greatest(l.platform_updated_at, l.states_read_at)) filter (where l.platform_updated_at is not null), 'infinity'
      ) as reported_at,
      coalesce(bool_or(l.location_id <> r.location_id and l.quantity > 0), false) as is_elsewhere
    from stock_level l
    where l.shop_id = in_shop and l.variant_id = r.variant_id
  ) level
  cross join lateral (
    -- A reading includes all orders before it, also those that move no stock, whose levels keep their times.
    -- An order has no location: a rule of one location subtracts it only if no other location has stock.
    select coalesce(sum(s.quantity - s.cancelled), 0) as pieces
    from sale s
    where s.shop_id = in_shop and s.variant_gid = v.gid and s.ordered_at > level.reported_at
      and not level.is_elsewhere
  ) sold
  cross join lateral (
    select v.is_tracked and v.deleted_at is null and level.pieces - sold.pieces
      < r.reorder_point * (1 + coalesce(c.alert_threshold_percent, 0) / 100) as is_low
  ) state
  where r.shop_id = in_shop and r.id = any(rule_ids);

  -- 3. Store the stock, and resolve the alerts of rules that are no longer low.
  if is_stale and not is_only_raising then
    update reorder_rule r
    set current_stock = rule.stock
    from unnest(rule_ids, stocks) as rule (id, stock)
    where r.shop_id = in_shop and r.id = rule.id and r.current_stock <> rule.stock;
  end if;
  if recovered_alert_ids is not null and not is_only_raising then
    perform from alert where shop_id = in_shop and id = any(recovered_alert_ids) order by id for no key update;
    update alert
    set resolved_at = now()
    where shop_id = in_shop and id = any(recovered_alert_ids) and resolved_at is null;
  end if;

  -- 4. Raise the alerts. An open one says what is left now, and the reorder point as it is now.
  if low_rule_ids is null then
    return;
  end if;
  insert into alert (shop_id, type, subject, message, figures, product_gid)
  select in_shop, 'low_stock', 'reorder_rule/' || r.id,
    case
      when v.confirmed_at is null then v.title
      when v.title = '' then p.title
      else p.title || ' - ' || v.title
    end,
    jsonb_build_object('location', w.name, 'left', greatest(rule.left_over, 0), 'reorderPoint', r.reorder_point),
    p.gid
  from unnest(rule_ids, left_overs) as rule (id, left_over)
  join reorder_rule r on r.shop_id = in_shop and r.id = rule.id
  join variant v on v.shop_id = in_shop and v.id = r.variant_id
  join product p on p.shop_id = in_shop and p.id = v.product_id
  left join location w on w.shop_id = in_shop and w.id = r.location_id
  where rule.id = any(low_rule_ids)
  order by r.id
  on conflict (shop_id, type, subject) where resolved_at is null
  do update set message = excluded.message, figures = excluded.figures
  where (alert.message, alert.figures) is distinct from (excluded.message, excluded.figures);
end
$$;
