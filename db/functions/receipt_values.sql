-- The current text. A migration that changes the function writes it out again; "npm run schema" updates this file.
CREATE OR REPLACE FUNCTION public.receipt_values(in_shop bigint, in_order bigint)
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
$function$
