-- Orders say when and by whom they were closed. A line may have no cost yet, which is not a cost of 0, and a line of a
-- draft no quantity. The setup guide is hidden for the shop, not in a browser.

alter table purchase_order
  add column closed_at timestamptz,
  add column closed_by text;

-- a release before this one reads `cost_price`, which is 0 in a line without a cost
alter table purchase_order_line add column is_cost_known boolean not null default true;
alter table purchase_order_line
  drop constraint purchase_order_line_quantity_check,
  add constraint purchase_order_line_quantity_check check (quantity >= 0) not valid,
  add constraint purchase_order_line_no_cost_check check (is_cost_known or cost_price = 0) not valid;

-- no locale: English as in the country of the shop. The default of earlier releases cannot be told from a choice of en-US.
alter table shop_setting
  add column is_setup_hidden boolean not null default false,
  alter column locale drop not null,
  alter column locale drop default;
update shop_setting set locale = null where locale = 'en-US';

create or replace function landed_lines(in_shop bigint, in_order bigint)
 returns table(line_id bigint, variant_id bigint, quantity integer, goods_cost numeric, share numeric)
 language plpgsql
 stable rows 20
 set plan_cache_mode to 'force_generic_plan'
 set enable_seqscan to 'off'
as $function$
#variable_conflict use_column
begin
  return query
  select l.id, l.variant_id, l.quantity,
    case when l.is_cost_known then (l.cost_price * (1 - l.discount_percent / 100))::numeric(60, 30) end
      * case when coalesce(o.currency, t.currency, 'USD') = coalesce(t.currency, 'USD') then 1 else o.rate end
      * (1 - case when o.subtotal > 0 then o.discount::numeric(60, 30) / o.subtotal else 0 end),
    coalesce(s.amount, 0)
  from purchase_order o
  join purchase_order_line l on l.shop_id = o.shop_id and l.purchase_order_id = o.id
  left join shop_setting t on t.shop_id = o.shop_id
  left join (
    select x.line_id, sum(x.amount) as amount from charge_shares(in_shop, in_order) x group by x.line_id
  ) s on s.line_id = l.id
  where o.shop_id = in_shop and o.id = in_order;
end
$function$;

create or replace function refresh_rules(in_shop bigint, variant_ids bigint[], is_only_raising boolean default false)
 returns void
 language plpgsql
 set plan_cache_mode to 'force_generic_plan'
 set enable_seqscan to 'off'
as $function$
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
    left join stock_level l on l.shop_id = r.shop_id and l.variant_id = r.variant_id
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
    join variant v on v.shop_id = r.shop_id and v.id = r.variant_id
    left join alert_configuration c on c.shop_id = r.shop_id
    cross join lateral (
      -- An order has no location: a rule of one location subtracts it only if no other location has stock.
      select coalesce(sum(s.quantity), 0) as pieces
      from sale s
      where s.shop_id = v.shop_id and s.variant_gid = v.gid and s.ordered_at > level.reported_at
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
$function$;
