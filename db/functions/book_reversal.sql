-- The current text. A migration that changes the function writes it out again; "npm run schema" updates this file.
CREATE OR REPLACE FUNCTION public.book_reversal(in_shop bigint, in_receipt bigint, variant_ids bigint[], in_actor text)
 RETURNS void
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
begin
  perform from variant where shop_id = in_shop and id = any(variant_ids) order by id for no key update;

  with booked as (
    select m.variant_id, sum(m.quantity)::bigint as quantity, sum(m.value) as value, sum(m.variance) as variance,
      min(m.reference) as reference, min(m.id) filter (where m.quantity > 0) as first_id
    from cost_movement m
    where m.shop_id = in_shop and m.receipt_id = in_receipt and m.variant_id = any(variant_ids)
    group by m.variant_id
  ),
  earlier as materialized (
    select b.variant_id, f.*
    from booked b
    cross join lateral last_cost_source(in_shop, b.variant_id) f
  ),
  -- the cost of an order's receipt as it is today: late costs may have changed it
  landed as (
    select r.receipt_id, r.variant_id, r.last_cost
    from (select distinct purchase_order_id from earlier where purchase_order_id is not null) o
    cross join lateral receipt_values(in_shop, o.purchase_order_id) r
  ),
  leaving as (
    select b.*, s.on_hand, c.average_cost, c.last_cost as cost_before,
      case when c.last_cost is not null then coalesce(landed.last_cost, earlier.last_cost, c.last_cost) end as last_cost,
      earlier.source,
      s.on_hand > b.quantity and s.on_hand * c.average_cost >= b.value
        and not is_average_set(in_shop, b.variant_id, b.first_id) as is_exact
    from booked b
    join shop_stock(in_shop, variant_ids) s on s.variant_id = b.variant_id
    join variant_cost c on c.shop_id = in_shop and c.variant_id = b.variant_id
    -- that of another receipt, since the caller has marked this one reversed; without one, the last cost stays
    left join earlier on earlier.variant_id = b.variant_id
    left join landed on landed.receipt_id = earlier.receipt_id and landed.variant_id = b.variant_id
    where b.quantity > 0
  ),
  written as (
    insert into cost_movement (
      shop_id, variant_id, cause, receipt_id, reference, actor, quantity, unit_cost, value, variance, on_hand_before,
      average_before, average_after, last_cost_after, occurred_at
    )
    select in_shop, l.variant_id, 'reversal', in_receipt, l.reference, in_actor, -l.quantity,
      round(l.value / l.quantity, 18), -paid.out, paid.out - l.value - l.variance, l.on_hand, l.average_cost,
      average_after(l.on_hand, l.average_cost, -l.quantity, -paid.out), l.last_cost, clock_timestamp()
    from leaving l
    cross join lateral (select case when l.is_exact then l.value else l.quantity * l.average_cost end as out) paid
    order by l.variant_id
    returning variant_id, average_after, last_cost_after, occurred_at
  ),
  stored as (
    update variant_cost c
    set average_cost = w.average_after, last_cost = w.last_cost_after, updated_at = w.occurred_at
    from written w
    where c.shop_id = in_shop and c.variant_id = w.variant_id
  )
  update variant v
  set unit_cost = l.last_cost, cost_at = now(),
    cost_source = case
      when l.source <> 'opening' then l.source
      when v.platform_cost = l.last_cost then 'platform'
      else 'manual'
    end
  from leaving l
  where v.shop_id = in_shop and v.id = l.variant_id and v.unit_cost = l.cost_before and l.last_cost <> l.cost_before;
end
$function$
