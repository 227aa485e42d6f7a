-- Each table of a statement is filtered by the shop itself, and a changed row takes its instant from a variable: a cluster
-- with the shops on several machines then runs each statement on the machine of its shop (docs/operations.md, "Many machines").
-- The results are the same.

create or replace function book_late_costs(in_shop bigint, in_order bigint, in_actor text)
returns void
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  late record;
  stock bigint;
  book record;
  raise numeric;
  changed_at timestamptz;
begin
  perform from variant
  where shop_id = in_shop
    and id in (select l.variant_id from purchase_order_line l where l.shop_id = in_shop and l.purchase_order_id = in_order)
  order by id
  for no key update;

  for late in
    select r.receipt_id, r.variant_id, r.last_cost, r.value - booked.value as value,
      case when booked.value is null then r.value / r.quantity end as unbooked_cost, r.quantity,
      sum(r.quantity) over (partition by r.variant_id) as received
    from receipt_values(in_shop, in_order) r
    cross join lateral (
      select sum(m.value + m.variance) as value
      from cost_movement m
      where m.shop_id = in_shop and m.receipt_id = r.receipt_id and m.variant_id = r.variant_id
    ) booked
    order by r.variant_id, r.receipt_id
  loop
    changed_at := clock_timestamp();
    -- rounding is no late cost
    continue when abs(late.value) < 0.000000000001;
    select on_hand into stock from shop_stock(in_shop, array[late.variant_id]);
    select average_cost, last_cost into book
    from variant_cost where shop_id = in_shop and variant_id = late.variant_id;
    if late.unbooked_cost is not null and book.average_cost is null and stock > 0 then
      -- neither the rate nor the cost was known when the pieces came: all pieces cost what these cost
      insert into cost_movement (
        shop_id, variant_id, cause, receipt_id, reference, actor, unit_cost, value, variance, on_hand_before,
        average_after, last_cost_after, occurred_at
      )
      values (
        in_shop, late.variant_id, 'charge', late.receipt_id, 'purchase_order/' || in_order, in_actor,
        round(late.unbooked_cost, 18), round(late.unbooked_cost * stock, 18),
        round(late.unbooked_cost * (late.quantity - stock), 18), stock,
        average_after(stock, null, 0, round(late.unbooked_cost * stock, 18)), late.last_cost, changed_at
      );
      insert into variant_cost as c (shop_id, variant_id, average_cost, last_cost, source, updated_at)
      values (
        in_shop, late.variant_id, average_after(stock, null, 0, round(late.unbooked_cost * stock, 18)), late.last_cost,
        'receipt', changed_at
      )
      on conflict (shop_id, variant_id) do update
      set average_cost = excluded.average_cost, last_cost = excluded.last_cost, source = excluded.source,
        updated_at = excluded.updated_at;
      update variant
      set unit_cost = late.last_cost, cost_source = 'receipt', cost_at = changed_at
      where shop_id = in_shop and id = late.variant_id;
    end if;
    -- a receipt of the release before has no booking, and stays without
    continue when late.value is null;
    raise := round(late.value * least(greatest(stock, 0), late.received) / late.received, 18);
    if stock > 0 and book.average_cost + raise / stock < 0 then
      raise := 0;
    end if;
    insert into cost_movement (
      shop_id, variant_id, cause, receipt_id, reference, actor, unit_cost, value, variance, on_hand_before,
      average_before, average_after, last_cost_after, occurred_at
    )
    values (
      in_shop, late.variant_id, 'charge', late.receipt_id, 'purchase_order/' || in_order, in_actor,
      round(late.value / late.received, 18), raise, round(late.value, 18) - raise, stock, book.average_cost,
      average_after(stock, book.average_cost, 0, raise), book.last_cost, changed_at
    );
    update variant_cost
    set average_cost = average_after(stock, book.average_cost, 0, raise), updated_at = changed_at
    where shop_id = in_shop and variant_id = late.variant_id;
  end loop;
end
$$;

create or replace function book_receipt(in_shop bigint, in_order bigint, in_receipt bigint, in_actor text)
returns void
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  ids bigint[];
begin
  if in_order is null then
    select array_agg(distinct x.variant_id) into ids
    from direct_receipt_line x
    where x.shop_id = in_shop and x.receipt_id = in_receipt;
  else
    select array_agg(distinct l.variant_id) into ids
    from receipt_line x
    join purchase_order_line l on l.shop_id = in_shop and l.id = x.purchase_order_line_id
    where x.shop_id = in_shop and x.receipt_id = in_receipt and x.quantity > 0;
  end if;
  perform from variant where shop_id = in_shop and id = any(ids) order by id for no key update;

  with arrived as (
    select r.variant_id, r.quantity, r.value, r.last_cost
    from receipt_values(in_shop, in_order) r
    where r.receipt_id = in_receipt
    union all
    -- a line without a cost has that of the average, like an order without a rate
    select x.variant_id, sum(x.quantity)::bigint,
      case when bool_and(x.unit_cost is not null) then sum(x.quantity * x.unit_cost) end,
      case when bool_and(x.unit_cost is not null) then (array_agg(x.unit_cost order by x.position desc))[1] end
    from direct_receipt_line x
    where x.shop_id = in_shop and x.receipt_id = in_receipt
    group by x.variant_id
  ),
  priced as materialized (
    select r.variant_id, r.quantity, r.last_cost, s.on_hand, c.average_cost, c.last_cost as cost_before,
      -- while the rate of the order is not known, its pieces cost the average; `book_late_costs` corrects that
      round(coalesce(r.value, r.quantity * c.average_cost), 18) as value
    from arrived r
    join shop_stock(in_shop, ids) s on s.variant_id = r.variant_id
    left join variant_cost c on c.shop_id = in_shop and c.variant_id = r.variant_id
  ),
  written as (
    insert into cost_movement (
      shop_id, variant_id, cause, receipt_id, reference, actor, quantity, unit_cost, value, on_hand_before,
      average_before, average_after, last_cost_after, occurred_at
    )
    select in_shop, variant_id, 'receipt', in_receipt,
      coalesce('purchase_order/' || in_order, 'receipt/' || in_receipt), in_actor, quantity,
      round(value / quantity, 18), value, on_hand, average_cost, average_after(on_hand, average_cost, quantity, value),
      coalesce(last_cost, cost_before), clock_timestamp()
    from priced
    where value is not null
    order by variant_id
    returning variant_id, average_after, last_cost_after, occurred_at
  ),
  stored as (
    insert into variant_cost as c (shop_id, variant_id, average_cost, last_cost, source, updated_at)
    select in_shop, variant_id, average_after, last_cost_after, 'receipt', occurred_at from written
    on conflict (shop_id, variant_id) do update
    set average_cost = excluded.average_cost, last_cost = excluded.last_cost, source = 'receipt',
      updated_at = excluded.updated_at
  )
  update variant v
  set unit_cost = priced.last_cost, cost_source = 'receipt', cost_at = now()
  from priced
  where v.shop_id = in_shop and v.id = priced.variant_id and priced.last_cost is not null;

  -- variants without stock have no average, only a last cost
  if exists (
    select from receipt_line x
    where x.shop_id = in_shop and x.receipt_id = in_receipt and not x.is_stocked and x.quantity > 0
  ) then
    update variant v
    set unit_cost = paid.cost, cost_source = 'receipt', cost_at = now()
    from (
      select distinct on (l.variant_id) l.variant_id,
        least(round(
          case when x.unit_cost is null then line.goods_cost else x.unit_cost * receipt_rate(in_shop, in_order) end
            + line.share / line.quantity, 4
        ), 1e14) as cost
      from receipt_line x
      join purchase_order_line l on l.shop_id = in_shop and l.id = x.purchase_order_line_id
      join landed_lines(in_shop, in_order) line on line.line_id = l.id
      where x.shop_id = in_shop and x.receipt_id = in_receipt and not x.is_stocked and x.quantity > 0
        and line.goods_cost is not null
      order by l.variant_id, l.position desc
    ) paid
    where v.shop_id = in_shop and v.id = paid.variant_id;
  end if;
end
$$;

create or replace function charge_shares(in_shop bigint, in_order bigint)
returns table (charge_id bigint, kind text, line_id bigint, amount numeric)
language plpgsql
stable rows 20
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
begin
  return query
  select c.id, c.kind, share.line_id, share.amount
  from purchase_order_charge c
  left join shop_setting t on t.shop_id = in_shop
  cross join lateral (
    select array_agg(l.id order by l.position) as line_ids,
      array_agg(
        case c.basis
          when 'value' then l.line_total
          when 'quantity' then l.quantity
          when 'weight' then coalesce(v.weight_grams, 0) * l.quantity
          else coalesce((c.shares->>(l.id::text))::numeric, 0)
        end
        order by l.position
      ) as weights
    from purchase_order_line l
    join variant v on v.shop_id = in_shop and v.id = l.variant_id
    where l.shop_id = in_shop and l.purchase_order_id = in_order
      and (
        c.line_ids is null or l.id = any(c.line_ids)
        -- all of them were removed: the charge is of the whole order
        or not exists (
          select from purchase_order_line x
          where x.shop_id = in_shop and x.purchase_order_id = in_order and x.id = any(c.line_ids)
        )
      )
  ) lines
  cross join lateral unnest(
    lines.line_ids, allocate(c.amount * c.rate, minor_digits(coalesce(t.currency, 'USD')), lines.weights)
  ) as share (line_id, amount)
  where c.shop_id = in_shop and c.purchase_order_id = in_order;
end
$$;

create or replace function landed_lines(in_shop bigint, in_order bigint)
returns table (line_id bigint, variant_id bigint, quantity integer, goods_cost numeric, share numeric)
language plpgsql
stable rows 20
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
begin
  return query
  select l.id, l.variant_id, l.quantity,
    case when l.is_cost_known then (l.cost_price * (1 - l.discount_percent / 100))::numeric(60, 30) end
      * case when coalesce(o.currency, t.currency, 'USD') = coalesce(t.currency, 'USD') then 1 else o.rate end
      * (1 - case when o.subtotal > 0 then o.discount::numeric(60, 30) / o.subtotal else 0 end),
    coalesce(s.amount, 0)
  from purchase_order o
  join purchase_order_line l on l.shop_id = in_shop and l.purchase_order_id = o.id
  left join shop_setting t on t.shop_id = in_shop
  left join (
    select x.line_id, sum(x.amount) as amount from charge_shares(in_shop, in_order) x group by x.line_id
  ) s on s.line_id = l.id
  where o.shop_id = in_shop and o.id = in_order;
end
$$;

create or replace function receipt_rate(in_shop bigint, in_order bigint)
returns numeric
language plpgsql
stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  return (
    select case when coalesce(o.currency, t.currency, 'USD') = coalesce(t.currency, 'USD') then 1 else o.rate end
    from purchase_order o
    left join shop_setting t on t.shop_id = in_shop
    where o.shop_id = in_shop and o.id = in_order
  );
end
$$;

create or replace function refresh_rules(in_shop bigint, variant_ids bigint[], is_only_raising boolean default false)
returns void
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
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
$$;
