-- Takes the cost of returned pieces out of the averages, before their stock moves. Lines without stock are left out.
-- 1. Lock the variants of the return by id: the stock and the book cost do not change meanwhile.
-- 2. Value the pieces: what their receipt put into the average and earlier returns did not take out, divided by the pieces that these left;
--    without a booked receipt the average.
-- 3. Take the value out while the remaining stock is worth as much and nothing has set the average since the receipt (`is_average_set`).
--    Else the pieces leave at the average, which stays, and the rest is a variance.
-- 4. Write a movement of each variant and its book cost. The last cost stays.
-- Example: 5 of 10 received at 2.60 go back, 25 on hand at 2.24: (56 - 13) / 20 = 2.15.
-- Why SQL: atomic with the ledger: the value that leaves depends on the stock and the average at that moment.
create or replace function book_supplier_return(in_shop bigint, in_return bigint, in_actor text)
returns void
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  ids bigint[];
  in_receipt bigint;
begin
  select array_agg(distinct l.variant_id) into ids
  from supplier_return_line l
  where l.shop_id = in_shop and l.supplier_return_id = in_return and l.is_stocked;
  if ids is null then
    return;
  end if;
  select receipt_id into in_receipt from supplier_return where shop_id = in_shop and id = in_return;
  perform from variant where shop_id = in_shop and id = any(ids) order by id for no key update;

  with going as (
    select l.variant_id, sum(l.quantity)::bigint as quantity
    from supplier_return_line l
    where l.shop_id = in_shop and l.supplier_return_id = in_return and l.is_stocked
    group by l.variant_id
  ),
  booked as (
    select variant_id, id, quantity, value, variance, true as is_receipt
    from cost_movement
    where shop_id = in_shop and receipt_id = in_receipt and variant_id = any(ids)
    union all
    select m.variant_id, m.id, m.quantity, m.value, m.variance, false
    from supplier_return r
    join cost_movement m on m.shop_id = in_shop and m.supplier_return_id = r.id and m.variant_id = any(ids)
    where r.shop_id = in_shop and r.receipt_id = in_receipt
  ),
  -- The value that the pieces of the receipt carry in the average. A late cost is divided by all received pieces; the part of pieces that
  -- were not on hand is a variance. Example: 100 received, 90 sold, 100.00 of freight: each piece carries 1.00, and 10.00 went into the
  -- average. Pieces that went back before the late cost carry none of it: the others carry at least what went into the average.
  put as (
    select m.variant_id, sum(m.quantity) as quantity, min(m.id) filter (where m.is_receipt and m.quantity > 0) as first_id,
      sum(case
        when not m.is_receipt or m.quantity <> 0 then m.value + m.variance
        when m.value > 0 then greatest(m.value, (m.value + m.variance)::numeric(60, 30) * m.kept / m.received)
        when m.value < 0 then least(m.value, (m.value + m.variance)::numeric(60, 30) * m.kept / m.received)
        else 0
      end) as value
    from (
      select *, sum(quantity) over (partition by variant_id order by id) as kept,
        sum(quantity) filter (where is_receipt) over (partition by variant_id) as received
      from booked
    ) m
    group by m.variant_id
  ),
  leaving as (
    select g.variant_id, g.quantity, s.on_hand, c.average_cost, c.last_cost,
      case
        when put.quantity >= g.quantity then round(put.value::numeric(60, 30) * g.quantity / put.quantity, 18)
        else g.quantity * c.average_cost
      end as worth,
      put.first_id is not null and is_average_set(in_shop, g.variant_id, put.first_id) as is_set
    from going g
    join shop_stock(in_shop, ids) s on s.variant_id = g.variant_id
    join variant_cost c on c.shop_id = in_shop and c.variant_id = g.variant_id and c.average_cost is not null
    left join put on put.variant_id = g.variant_id
  ),
  written as (
    insert into cost_movement (
      shop_id, variant_id, cause, supplier_return_id, reference, actor, quantity, unit_cost, value, variance,
      on_hand_before, average_before, average_after, last_cost_after, occurred_at
    )
    select in_shop, l.variant_id, 'return', in_return, 'supplier_return/' || in_return, in_actor, -l.quantity,
      round(l.worth / l.quantity, 18), -paid.out, paid.out - l.worth, l.on_hand, l.average_cost,
      average_after(l.on_hand, l.average_cost, -l.quantity, -paid.out), l.last_cost, clock_timestamp()
    from leaving l
    cross join lateral (
      select case
        when l.on_hand > l.quantity and l.on_hand * l.average_cost >= l.worth and not l.is_set then l.worth
        else l.quantity * l.average_cost
      end as out
    ) paid
    order by l.variant_id
    returning variant_id, average_after, occurred_at
  )
  update variant_cost c
  set average_cost = w.average_after, updated_at = w.occurred_at
  from written w
  where c.shop_id = in_shop and c.variant_id = w.variant_id;
end
$$;
