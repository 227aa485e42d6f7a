-- What each receipt of an order is worth, by variant, with the last cost that it gives: posted receipts that are not reversed, and lines
-- whose pieces moved stock. Null while a cost or the rate is not known. Locks nothing; the caller has locked the variants.
-- 1. The goods of a piece cost what was corrected at the receipt, at the order's rate, else what the order says (`landed_lines`).
-- 2. Of a line, the first ordered pieces that arrive take the shares of the charges; pieces beyond the order take none.
-- 3. Pieces of known and of unknown cost arrive as one quantity, which has a value when all costs are known. The last cost is that of the line
--    with the highest position, to 4 decimals.
-- Example: 100 ordered at 4.17, shares of 400; receipts of 60 and 40: 60 x 4.17 + 400 x 60 / 100 = 490.20, and 326.80.
-- With 5.00 as the corrected cost of the 40: 40 x 5.00 + 400 x 40 / 100 = 360.00.
-- Why SQL: atomic with the ledger; a function of its own for the reason of `charge_shares`.
create or replace function receipt_values(in_shop bigint, in_order bigint)
returns table (receipt_id bigint, variant_id bigint, quantity bigint, value numeric, last_cost numeric)
language plpgsql
stable rows 20
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
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
$$;
