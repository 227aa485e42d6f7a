-- Sets the last cost of pieces that arrived without stock: such variants have no average, only a unit cost. It is that of the order's newest
-- receipt whose cost is known, and is dated at that receipt. With `in_receipt`, its costs replace every other cost. With null, its costs
-- are late: a cost that came after the receipt stays, and a cost that the merchant has removed stays removed.
-- The caller has locked the variants.
-- 1. Return when no piece of the order, or of the receipt, arrived without stock, which is the usual case.
-- 2. Compute the landed cost of each line (`landed_lines`), to 4 decimals. Of several lines of a variant, the one of the newest receipt and
--    the highest position counts.
-- 3. Write the variants whose cost changes.
-- Example: 4 ordered at 3.00 with a share of 2.00 of the freight: 3.00 + 2.00 / 4 = 3.50.
-- Why SQL: atomic with the ledger: `book_receipt` and `book_late_costs` set it with their bookings.
create or replace function book_unstocked(in_shop bigint, in_order bigint, in_receipt bigint)
returns void
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
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
$$;
