-- The cost of an order's lines in the shop's currency: `goods_cost` of a piece, and `share` of the line in the charges. Locks nothing.
--   goods_cost             = price x (1 - discount of the line) x rate x (1 - discount of the order / subtotal)
--   landed cost of a piece = goods_cost + share / ordered pieces
-- `goods_cost` is null when the line's cost or the rate of the order's currency is not known.
-- Example: 10 ordered at 5.00 USD with 10 % off, rate 0.90, no discount of the order, a share of 8.00: 5.00 x 0.90 x 0.90 = 4.05, and landed
-- 4.05 + 8.00 / 10 = 4.85.
-- Why SQL: atomic with the ledger: receipts are booked at this cost; a function of its own for the reason of `charge_shares`.
create or replace function landed_lines(in_shop bigint, in_order bigint)
returns table (line_id bigint, "position" int, variant_id bigint, quantity int, goods_cost numeric, share numeric)
language plpgsql
stable rows 20
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
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
$$;
