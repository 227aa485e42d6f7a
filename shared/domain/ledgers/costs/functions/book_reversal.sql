-- Takes what a receipt put into the averages out again, before its stock moves, and sets last and unit costs back. The caller has marked
-- the receipt reversed.
-- 1. Lock the variants by id: the stock and the book cost do not change meanwhile.
-- 2. Sum what the receipt and its late costs booked for each variant: quantity, value, variance.
-- 3. Take the value out, with the variance, while the remaining stock is worth as much and nothing has set the average since
--    (`is_average_set`). Else the pieces leave at the average, which stays, and the rest is a variance.
-- 4. The last cost is that before the receipt, as it is today (`last_cost_source`, `receipt_values`); without one it stays. The unit cost
--    follows where it was the last cost.
-- Example: 15 on hand at 2.20, of which 5 came at 2.60: (33 - 13) / 10 = 2.00. With 71 at 7.15 and 3 at 20.00 by mistake, and 7.15 entered by a
-- person since, the three leave at 7.15, the average stays 7.15, and 3 x (7.15 - 20.00) = -38.55 is a variance.
-- Why SQL: atomic with the ledger: the value that leaves depends on the stock and the average at that moment.
create or replace function book_reversal(in_shop bigint, in_receipt bigint, variant_ids bigint[], in_actor text)
returns void
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
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
$$;
