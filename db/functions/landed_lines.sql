-- The current text. A migration that changes the function writes it out again; "npm run schema" updates this file.
CREATE OR REPLACE FUNCTION public.landed_lines(in_shop bigint, in_order bigint)
 RETURNS TABLE(line_id bigint, "position" integer, variant_id bigint, quantity integer, goods_cost numeric, share numeric)
 LANGUAGE plpgsql
 STABLE ROWS 20
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
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
$function$
