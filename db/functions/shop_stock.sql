-- The current text. A migration that changes the function writes it out again; "npm run schema" updates this file.
CREATE OR REPLACE FUNCTION public.shop_stock(in_shop bigint, variant_ids bigint[])
 RETURNS TABLE(variant_id bigint, on_hand bigint)
 LANGUAGE plpgsql
 STABLE ROWS 20
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
#variable_conflict use_column
begin
  return query
  select wanted.id, sum(coalesce(stock.pieces, 0))::bigint
  from (select distinct id from unnest(variant_ids) as id) wanted
  left join (
    select l.variant_id, coalesce(l.on_hand, l.quantity) as pieces
    from stock_level l
    where l.shop_id = in_shop and l.variant_id = any(variant_ids)
    union all
    select i.variant_id, i.in_transit
    from stock_transfer_item i
    where i.shop_id = in_shop and i.variant_id = any(variant_ids) and i.in_transit > 0
  ) stock on stock.variant_id = wanted.id
  group by wanted.id;
end
$function$
