-- The current text. A migration that changes the function writes it out again; "npm run schema" updates this file.
CREATE OR REPLACE FUNCTION public.mark_uncosted(in_shop bigint, variant_ids bigint[])
 RETURNS boolean
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
begin
  insert into velocity_mark (shop_id, variant_gid)
  select in_shop, v.gid
  from variant v
  where v.shop_id = in_shop and v.id = any(variant_ids)
    and exists (select from margin_period p where p.shop_id = in_shop)
    and not exists (select from variant_cost c where c.shop_id = in_shop and c.variant_id = v.id)
    and exists (select from sale s where s.shop_id = in_shop and s.variant_gid = v.gid);
  return found;
end
$function$
