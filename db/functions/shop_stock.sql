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
  select id,
    coalesce((
      select sum(coalesce(l.on_hand, l.quantity))::bigint from stock_level l where l.shop_id = in_shop and l.variant_id = id
    ), 0)
    + coalesce((
      select sum(i.in_transit)::bigint
      from stock_transfer_item i
      where i.shop_id = in_shop and i.variant_id = id and i.in_transit > 0
    ), 0)
  from unnest(variant_ids) as id;
end
$function$
