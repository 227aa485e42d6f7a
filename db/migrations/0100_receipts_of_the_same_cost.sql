-- A receipt that repeats the unit cost writes the ledger of costs only, and no new version of the variant with entries in its indexes.

-- When the unit cost came: `variant.cost_at`, or the last receipt with a cost, which may have repeated it.
create or replace function unit_cost_at(in_shop bigint, in_variant bigint, cost_source text, cost_at timestamptz)
 returns timestamptz
 language plpgsql
 stable
 set plan_cache_mode to 'force_generic_plan'
 set enable_seqscan to 'off'
as $function$
begin
  if coalesce(cost_source, 'receipt') <> 'receipt' then
    return cost_at;
  end if;
  return greatest(cost_at, (
    select min(m.occurred_at)
    from last_cost_source(in_shop, in_variant) f
    join cost_movement m on m.shop_id = in_shop and m.receipt_id = f.receipt_id and m.variant_id = in_variant
  ));
end
$function$;

create or replace function book_receipt(in_shop bigint, in_order bigint, in_receipt bigint, in_actor text)
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
  where v.shop_id = in_shop and v.id = priced.variant_id and priced.last_cost is not null
    and (v.unit_cost, v.cost_source) is distinct from (priced.last_cost, 'receipt');

  perform book_unstocked(in_shop, in_order, in_receipt);
  return has_first;
end
$function$;

create or replace function book_unstocked(in_shop bigint, in_order bigint, in_receipt bigint)
 RETURNS void
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
declare
  rate numeric;
begin
  if not exists (
    select
    from receipt r
    join receipt_line x on x.shop_id = in_shop and x.receipt_id = r.id and not x.is_stocked and x.quantity > 0
    where r.shop_id = in_shop and r.purchase_order_id = in_order and r.id = coalesce(in_receipt, r.id) and not r.is_imported
      and r.state = 'posted' and r.reversed_at is null
  ) then
    return;
  end if;
  rate := receipt_rate(in_shop, in_order);

  update variant v
  set unit_cost = paid.cost, cost_source = 'receipt', cost_at = paid.posted_at
  from (
    select distinct on (line.variant_id) line.variant_id, coalesce(r.posted_at, r.created_at) as posted_at,
      least(round(goods.cost + line.share / line.quantity, 4), 1e14) as cost
    from receipt r
    join receipt_line x on x.shop_id = in_shop and x.receipt_id = r.id and not x.is_stocked and x.quantity > 0
    join landed_lines(in_shop, in_order) line on line.line_id = x.purchase_order_line_id
    cross join lateral (
      select case when x.unit_cost is null then line.goods_cost else x.unit_cost * rate end as cost
    ) goods
    where r.shop_id = in_shop and r.purchase_order_id = in_order and r.id = coalesce(in_receipt, r.id) and not r.is_imported
      and r.state = 'posted' and r.reversed_at is null and goods.cost is not null
    order by line.variant_id, coalesce(r.posting_no, r.id) desc, line.position desc
  ) paid
  left join variant_cost c on c.shop_id = in_shop and c.variant_id = paid.variant_id
  where v.shop_id = in_shop and v.id = paid.variant_id
    and (
      in_receipt is not null
      or v.unit_cost is distinct from paid.cost
        and (v.cost_at is null or unit_cost_at(in_shop, v.id, v.cost_source, v.cost_at) <= paid.posted_at)
        and (c.variant_id is null or c.last_cost is not null)
        -- a cost of the platform is as old as the change there, so the ledger says when it came
        and (coalesce(v.cost_source, 'receipt') = 'receipt' or not exists (
          select from cost_movement m
          where m.shop_id = in_shop and m.variant_id = v.id and m.occurred_at > paid.posted_at
        ))
    );
end
$function$;

create or replace function receive_lines(in_shop bigint, in_order bigint, line_ids bigint[], accepted_pieces integer[], credited_pieces integer[])
 RETURNS TABLE(id bigint, status text, received_at timestamp with time zone)
 LANGUAGE plpgsql
 ROWS 1
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
#variable_conflict use_column
begin
  update purchase_order_line l
  set accepted = l.accepted + arrived.accepted, cancelled = l.cancelled + arrived.credited,
    credited = l.credited + arrived.credited,
    -- an update that sets no column of the generated `line_total` makes Postgres parse its expression for each row
    quantity = l.quantity
  from unnest(line_ids, accepted_pieces, credited_pieces) as arrived (id, accepted, credited)
  where l.shop_id = in_shop and l.purchase_order_id = in_order and l.id = arrived.id;
  return query select o.id, o.status, o.received_at from settle_order(in_shop, in_order, now()) o;
end
$function$;
