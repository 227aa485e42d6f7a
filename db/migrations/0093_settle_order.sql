-- A receipt takes fewer round trips, and functions keep the plans of its statements. Receiving one line of an order took 1.4 times as
-- long as before costs were booked. Functions that get another type of result are dropped and created again: the calls of the previous
-- release fit the new ones, too.

-- Resolves the open alerts of an order that was received, cancelled or closed.
create function resolve_order_alerts(in_shop bigint, in_order bigint)
 returns void
 language plpgsql
 set plan_cache_mode to 'force_generic_plan'
 set enable_seqscan to 'off'
as $function$
declare
  alert_ids bigint[];
begin
  select array_agg(due.id) into alert_ids
  from (
    select id
    from alert
    where shop_id = in_shop and resolved_at is null and type in ('po_overdue', 'mail_failed')
      and subject = 'purchase_order/' || in_order
    order by id
    for no key update
  ) due;
  if alert_ids is not null then
    update alert set resolved_at = now() where shop_id = in_shop and id = any(alert_ids);
  end if;
end
$function$;

-- Computes the status of an order from its lines, after accepted quantities have changed. The caller has locked the order.
-- 1. Set the status, and the time of the newest receipt.
-- 2. Resolve the alerts of a received order.
create function settle_order(in_shop bigint, in_order bigint, arrived_at timestamp with time zone)
 returns table(id bigint, status text, received_at timestamp with time zone)
 language plpgsql
 rows 1
 set plan_cache_mode to 'force_generic_plan'
 set enable_seqscan to 'off'
as $function$
#variable_conflict use_column
declare
  new_status text;
begin
  update purchase_order o
  set status = case when line.has_arrived and line.is_outstanding then 'partial'
      when line.has_arrived then 'received'
      else 'sent'
    end,
    received_at = arrived_at, updated_at = now(), version = version + 1
  from (
    select bool_or(l.accepted > 0 or l.credited > 0) as has_arrived,
      bool_or(l.quantity > l.accepted + l.cancelled) as is_outstanding
    from purchase_order_line l
    where l.shop_id = in_shop and l.purchase_order_id = in_order
  ) line
  where o.shop_id = in_shop and o.id = in_order
  returning o.status into new_status;

  if new_status = 'received' then
    perform resolve_order_alerts(in_shop, in_order);
  end if;
  return query select in_order, new_status, arrived_at where new_status is not null;
end
$function$;

-- Adds accepted and credited pieces to the lines of an order, and settles the order. Credited pieces count as cancelled, too: they are
-- no longer expected.
create function receive_lines(in_shop bigint, in_order bigint, line_ids bigint[], accepted_pieces integer[], credited_pieces integer[])
 returns table(id bigint, status text, received_at timestamp with time zone)
 language plpgsql
 rows 1
 set plan_cache_mode to 'force_generic_plan'
 set enable_seqscan to 'off'
as $function$
#variable_conflict use_column
begin
  update purchase_order_line l
  set accepted = l.accepted + arrived.accepted, cancelled = l.cancelled + arrived.credited,
    credited = l.credited + arrived.credited
  from unnest(line_ids, accepted_pieces, credited_pieces) as arrived (id, accepted, credited)
  where l.shop_id = in_shop and l.purchase_order_id = in_order and l.id = arrived.id;
  return query select o.id, o.status, o.received_at from settle_order(in_shop, in_order, now()) o;
end
$function$;

-- Marks the variants that have sales and no book cost yet, and returns whether there are some. Sales before the first cost cost what the
-- ledger begins with, so the margins that are stored are computed again.
create function mark_uncosted(in_shop bigint, variant_ids bigint[])
 returns boolean
 language plpgsql
 set plan_cache_mode to 'force_generic_plan'
 set enable_seqscan to 'off'
as $function$
begin
  insert into velocity_mark (shop_id, variant_gid)
  select in_shop, v.gid
  from variant v
  where v.shop_id = in_shop and v.id = any(variant_ids)
    and exists (select from margin_period p where p.shop_id = in_shop)
    and not exists (select from variant_cost c where c.shop_id = in_shop and c.variant_id = v.id)
    and exists (select from sale s where s.shop_id = in_shop and s.variant_gid = v.gid);
  return found;
end
$function$;

-- Returns whether it marked variants (`mark_uncosted`). Joins the order's lines only: a kept plan that was made for a small table
-- read all lines of the shop.
drop function book_receipt(bigint, bigint, bigint, text);
create function book_receipt(in_shop bigint, in_order bigint, in_receipt bigint, in_actor text)
 RETURNS boolean
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
declare
  ids bigint[];
  has_first boolean;
begin
  if in_order is null then
    select array_agg(distinct x.variant_id) into ids
    from direct_receipt_line x
    where x.shop_id = in_shop and x.receipt_id = in_receipt;
  else
    select array_agg(distinct l.variant_id) into ids
    from receipt_line x
    join purchase_order_line l
      on l.shop_id = in_shop and l.purchase_order_id = in_order and l.id = x.purchase_order_line_id
    where x.shop_id = in_shop and x.receipt_id = in_receipt and x.quantity > 0;
  end if;
  perform from variant where shop_id = in_shop and id = any(ids) order by id for no key update;
  has_first := mark_uncosted(in_shop, ids);
  if in_order is not null then
    perform store_weights(in_shop, in_order);
  end if;

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
      join purchase_order_line l
        on l.shop_id = in_shop and l.purchase_order_id = in_order and l.id = x.purchase_order_line_id
      join landed_lines(in_shop, in_order) line on line.line_id = l.id
      where x.shop_id = in_shop and x.receipt_id = in_receipt and not x.is_stocked and x.quantity > 0
        and line.goods_cost is not null
      order by l.variant_id, l.position desc
    ) paid
    where v.shop_id = in_shop and v.id = paid.variant_id;
  end if;
  return has_first;
end
$function$;

-- Reads the levels and the transfers of all variants at once instead of one variant after another. One join, since Postgres expects ten
-- variants: joined each by itself, levels and transfers of many variants took quadratic time.
create or replace function shop_stock(in_shop bigint, variant_ids bigint[])
 RETURNS TABLE(variant_id bigint, on_hand bigint)
 LANGUAGE plpgsql
 STABLE ROWS 20
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
#variable_conflict use_column
begin
  return query
  select wanted.id, sum(coalesce(stock.pieces, 0))::bigint
  from (select distinct id from unnest(variant_ids) as id) wanted
  left join (
    select l.variant_id, coalesce(l.on_hand, l.quantity) as pieces
    from stock_level l
    where l.shop_id = in_shop and l.variant_id = any(variant_ids)
    union all
    select i.variant_id, i.in_transit
    from stock_transfer_item i
    where i.shop_id = in_shop and i.variant_id = any(variant_ids) and i.in_transit > 0
  ) stock on stock.variant_id = wanted.id
  group by wanted.id;
end
$function$;

-- With the position of a line, `receipt_values` need not read the lines a second time.
drop function landed_lines(bigint, bigint);
create function landed_lines(in_shop bigint, in_order bigint)
 RETURNS TABLE(line_id bigint, "position" integer, variant_id bigint, quantity integer, goods_cost numeric, share numeric)
 LANGUAGE plpgsql
 STABLE ROWS 20
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
#variable_conflict use_column
begin
  return query
  select l.id, l.position, l.variant_id, l.quantity,
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
$function$;

create or replace function receipt_values(in_shop bigint, in_order bigint)
 RETURNS TABLE(receipt_id bigint, variant_id bigint, quantity bigint, value numeric, last_cost numeric)
 LANGUAGE plpgsql
 STABLE ROWS 20
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
#variable_conflict use_column
declare
  rate numeric := receipt_rate(in_shop, in_order);
begin
  return query
  select arrived.receipt_id, arrived.variant_id, sum(arrived.quantity)::bigint,
    -- pieces of a known and of an unknown cost arrive as one quantity, which has a cost when all are known
    case when bool_and(arrived.goods_cost is not null)
      then sum(arrived.quantity * arrived.goods_cost + arrived.share * arrived.sharing / arrived.ordered)
    end,
    -- `least` leaves out null
    case when bool_and(arrived.goods_cost is not null)
      then least((array_agg(round(arrived.goods_cost + arrived.share / arrived.ordered, 4) order by arrived.position desc))[1], 1e14)
    end
  from (
    select x.receipt_id, line.variant_id, x.quantity, x.is_stocked, line.share,
      case when x.unit_cost is null then line.goods_cost else x.unit_cost * rate end as goods_cost,
      line.quantity::numeric(60, 30) as ordered, line.position,
      greatest(least(
        line.quantity - sum(x.quantity) over (partition by line.line_id order by coalesce(r.posting_no, r.id)) + x.quantity,
        x.quantity
      ), 0) as sharing
    from landed_lines(in_shop, in_order) line
    join receipt_line x on x.shop_id = in_shop and x.purchase_order_line_id = line.line_id and x.quantity > 0
    join receipt r on r.shop_id = in_shop and r.id = x.receipt_id and r.purchase_order_id = in_order
      and r.reversed_at is null and r.state = 'posted'
  ) arrived
  where arrived.is_stocked
  group by arrived.receipt_id, arrived.variant_id;
end
$function$;

-- Returns whether it marked variants (`mark_uncosted`).
drop function book_late_costs(bigint, bigint, text);
create function book_late_costs(in_shop bigint, in_order bigint, in_actor text)
 RETURNS boolean
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
declare
  ids bigint[];
  has_first boolean;
  min_late_cost constant numeric := 0.000000000001;
  late record;
  stock bigint;
  book record;
  late_cost numeric;
  into_average numeric;
  new_average numeric;
  newest record;
  new_last_cost numeric;
  changed_at timestamptz;
  first_variant bigint;
begin
  select array_agg(distinct l.variant_id) into ids
  from purchase_order_line l
  where l.shop_id = in_shop and l.purchase_order_id = in_order;
  perform from variant where shop_id = in_shop and id = any(ids) order by id for no key update;
  has_first := mark_uncosted(in_shop, ids);
  perform store_weights(in_shop, in_order);

  for late in
    select r.*, booked.value as booked
    from (
      select receipt_id, variant_id, quantity, value, last_cost, sum(quantity) over (partition by variant_id) as received
      from receipt_values(in_shop, in_order)
    ) r
    cross join lateral (
      select sum(m.value + m.variance) as value
      from cost_movement m
      where m.shop_id = in_shop and m.receipt_id = r.receipt_id and m.variant_id = r.variant_id
    ) booked
    join receipt p on p.shop_id = in_shop and p.id = r.receipt_id
    left join variant_cost c on c.shop_id = in_shop and c.variant_id = r.variant_id
    -- rounding is no late cost
    where r.value is not null
      and (booked.value is null or abs(r.value - booked.value) >= min_late_cost or r.last_cost is distinct from c.last_cost)
    order by r.variant_id, coalesce(p.posting_no, p.id)
  loop
    changed_at := clock_timestamp();
    select on_hand into stock from shop_stock(in_shop, array[late.variant_id]);
    select average_cost, last_cost into book
    from variant_cost where shop_id = in_shop and variant_id = late.variant_id;
    if late.booked is null then
      -- Neither rate nor cost was known when the pieces came: they are booked as if they came now, so all pieces get their cost. A
      -- receipt of the release before the ledger stays without a booking, and so does one whose variant got another cost meanwhile.
      continue when book.average_cost is not null and first_variant is distinct from late.variant_id;
      first_variant := late.variant_id;
      new_average := average_after(stock - late.quantity, book.average_cost, late.quantity, round(late.value, 18));
      insert into cost_movement (
        shop_id, variant_id, cause, receipt_id, reference, actor, quantity, unit_cost, value, on_hand_before, average_before,
        average_after, last_cost_after, occurred_at
      )
      values (
        in_shop, late.variant_id, 'charge', late.receipt_id, 'purchase_order/' || in_order, in_actor, late.quantity,
        round(late.value / late.quantity, 18), round(late.value, 18), stock - late.quantity, book.average_cost, new_average,
        late.last_cost, changed_at
      );
      insert into variant_cost as c (shop_id, variant_id, average_cost, last_cost, source, updated_at)
      values (in_shop, late.variant_id, new_average, late.last_cost, 'receipt', changed_at)
      on conflict (shop_id, variant_id) do update
      set average_cost = excluded.average_cost, last_cost = excluded.last_cost, source = excluded.source,
        updated_at = excluded.updated_at;
      update variant
      set unit_cost = late.last_cost, cost_source = 'receipt', cost_at = changed_at
      where shop_id = in_shop and id = late.variant_id;
      continue;
    end if;
    select * into newest from last_cost_source(in_shop, late.variant_id);
    -- a cost that the merchant has removed stays away
    new_last_cost := case
      when book.last_cost is not null and newest.receipt_id = late.receipt_id then late.last_cost
      else book.last_cost
    end;
    late_cost := late.value - late.booked;
    continue when abs(late_cost) < min_late_cost and new_last_cost is not distinct from book.last_cost;
    into_average := round(late_cost * least(greatest(stock, 0), late.received) / late.received, 18);
    if stock > 0 and book.average_cost + into_average / stock < 0 then
      into_average := 0;
    end if;
    new_average := average_after(stock, book.average_cost, 0, into_average);
    insert into cost_movement (
      shop_id, variant_id, cause, receipt_id, reference, actor, unit_cost, value, variance, on_hand_before,
      average_before, average_after, last_cost_after, occurred_at
    )
    values (
      in_shop, late.variant_id, 'charge', late.receipt_id, 'purchase_order/' || in_order, in_actor,
      round(late_cost / late.received, 18), into_average, round(late_cost, 18) - into_average, stock, book.average_cost,
      new_average, new_last_cost, changed_at
    );
    update variant_cost
    set average_cost = new_average, last_cost = new_last_cost, updated_at = changed_at
    where shop_id = in_shop and variant_id = late.variant_id;
    if new_last_cost is distinct from book.last_cost then
      update variant
      set unit_cost = new_last_cost, cost_source = 'receipt', cost_at = changed_at
      where shop_id = in_shop and id = late.variant_id and unit_cost is not distinct from book.last_cost;
    end if;
  end loop;
  return has_first;
end
$function$;
