-- Books a receipt that is written, before its stock moves: the new average and the last cost of each variant. `in_order` is null for goods
-- without an order, whose pieces cost what was entered. Returns whether it marked variants that have sales and had no cost (`mark_uncosted`).
-- 1. Lock the variants of the receipt by id: the stock and the book cost do not change meanwhile. Store the weights that split charges.
-- 2. Value the pieces: landed (`receipt_values`), or as entered. Pieces of unknown cost are booked at the average, which `book_late_costs`
--    corrects when the cost is known; a variant without an average gets no booking until then.
-- 3. Write a movement of each variant, its book cost, and its unit cost where that changes: a receipt of the same cost writes no variant.
-- 4. Pieces without stock get their last cost (`book_unstocked`).
-- Example: 10 on hand at 2.00, 5 received at 2.60 landed: the average is (20 + 13) / 15 = 2.20, the last cost and the unit cost 2.60.
-- Why SQL: atomic with the ledger; and the functions that it calls are planned once (docs/performance.md, "The price of costs").
create or replace function book_receipt(in_shop bigint, in_order bigint, in_receipt bigint, in_actor text)
returns boolean
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
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
$$;
