-- The current text. A migration that changes the function writes it out again; "npm run schema" updates this file.
CREATE OR REPLACE FUNCTION public.refresh_rules(in_shop bigint, variant_ids bigint[], is_only_raising boolean DEFAULT false)
 RETURNS void
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
declare
  rule_ids bigint[];
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
  with level as (
    select r.id as rule_id,
      coalesce(sum(l.quantity) filter (where l.location_id = coalesce(r.location_id, l.location_id)), 0) as pieces,
      coalesce(max(l.platform_updated_at), 'infinity') as reported_at,
      coalesce(bool_or(l.location_id <> r.location_id and l.quantity > 0), false) as is_elsewhere
    from reorder_rule r
    left join stock_level l on l.shop_id = in_shop and l.variant_id = r.variant_id
    where r.shop_id = in_shop and r.id = any(rule_ids)
    group by r.id
  ),
  rule as (
    select r.id, 'reorder_rule/' || r.id as subject, r.reorder_point, level.pieces as stock, r.current_stock,
      -- the pieces that are left after the sales which no level includes yet
      level.pieces - sold.pieces as left_over,
      v.id as variant_id, r.location_id,
      coalesce(c.low_stock_alerts, true) as has_alerts,
      v.is_tracked and v.deleted_at is null and level.pieces - sold.pieces
        < r.reorder_point * (1 + coalesce(c.alert_threshold_percent, 0) / 100) as is_low
    from level
    join reorder_rule r on r.shop_id = in_shop and r.id = level.rule_id
    join variant v on v.shop_id = in_shop and v.id = r.variant_id
    left join alert_configuration c on c.shop_id = in_shop
    cross join lateral (
      -- An order has no location: a rule of one location subtracts it only if no other location has stock.
      select coalesce(sum(s.quantity), 0) as pieces
      from sale s
      where s.shop_id = in_shop and s.variant_gid = v.gid and s.ordered_at > level.reported_at
        and not level.is_elsewhere
    ) sold
  ),
  stored as (
    update reorder_rule r
    set current_stock = rule.stock
    from rule
    where not is_only_raising and r.shop_id = in_shop and r.id = rule.id and rule.current_stock <> rule.stock
  ),
  recovered as (
    select a.id
    from rule
    join alert a on a.shop_id = in_shop and a.type = 'low_stock' and a.subject = rule.subject and a.resolved_at is null
    where not is_only_raising and not rule.is_low
    order by a.id
    for no key update of a
  ),
  resolved as (
    update alert a
    set resolved_at = now()
    from recovered
    where a.shop_id = in_shop and a.id = recovered.id
  )
  insert into alert (shop_id, type, subject, message, product_gid)
  select in_shop, 'low_stock', rule.subject,
    concat(
      case
        when v.confirmed_at is null then v.title
        when v.title = '' then p.title
        else p.title || ' - ' || v.title
      end,
      ' is low', ' at ' || w.name, ': ', greatest(rule.left_over, 0), ' left, reorder point ', rule.reorder_point, '.'
    ),
    p.gid
  from rule
  join variant v on v.shop_id = in_shop and v.id = rule.variant_id
  join product p on p.shop_id = in_shop and p.id = v.product_id
  left join location w on w.shop_id = in_shop and w.id = rule.location_id
  where rule.is_low and rule.has_alerts
  order by rule.id
  -- an open alert says what is left now, and the reorder point as it is now
  on conflict (shop_id, type, subject) where resolved_at is null
  do update set message = excluded.message where alert.message <> excluded.message;
end
$function$
