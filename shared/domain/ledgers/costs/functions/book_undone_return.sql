-- Puts the cost of returned pieces back, before their stock moves back: they come at the value at which they left, and the variance of the
-- return is undone, too.
-- 1. Lock the variants by id: the stock and the book cost do not change meanwhile.
-- 2. Sum what the return took out for each variant, and leave out variants that are back already.
-- 3. Write a movement of each variant and its book cost. The last cost stays.
-- Example: 5 left with 13.00, and 20 are on hand at 2.15: (43 + 13) / 25 = 2.24.
-- Why SQL: atomic with the ledger: the new average depends on the stock and the average at that moment.
create or replace function book_undone_return(in_shop bigint, in_return bigint, variant_ids bigint[], in_actor text)
returns void
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  perform from variant where shop_id = in_shop and id = any(variant_ids) order by id for no key update;

  with coming as (
    select m.variant_id, -sum(m.quantity)::bigint as quantity, -sum(m.value) as value, -sum(m.variance) as variance
    from cost_movement m
    where m.shop_id = in_shop and m.supplier_return_id = in_return and m.variant_id = any(variant_ids)
    group by m.variant_id
    having sum(m.quantity) < 0
  ),
  written as (
    insert into cost_movement (
      shop_id, variant_id, cause, supplier_return_id, reference, actor, quantity, unit_cost, value, variance,
      on_hand_before, average_before, average_after, last_cost_after, occurred_at
    )
    select in_shop, g.variant_id, 'return', in_return, 'supplier_return/' || in_return, in_actor, g.quantity,
      round((g.value + g.variance) / g.quantity, 18), g.value, g.variance, s.on_hand, c.average_cost,
      average_after(s.on_hand, c.average_cost, g.quantity, g.value), c.last_cost, clock_timestamp()
    from coming g
    join shop_stock(in_shop, variant_ids) s on s.variant_id = g.variant_id
    join variant_cost c on c.shop_id = in_shop and c.variant_id = g.variant_id
    order by g.variant_id
    returning variant_id, average_after, occurred_at
  )
  update variant_cost c
  set average_cost = w.average_after, updated_at = w.occurred_at
  from written w
  where c.shop_id = in_shop and c.variant_id = w.variant_id;
end
$$;
