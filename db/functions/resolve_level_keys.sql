-- The current text. A migration that changes the function writes it out again; "npm run schema" updates this file.
CREATE OR REPLACE FUNCTION public.resolve_level_keys(in_shop bigint, variant_gids text[], location_gids text[])
 RETURNS TABLE(variants jsonb, locations jsonb)
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  return query
    select
      (
        select coalesce(jsonb_agg(jsonb_build_object('id', id, 'gid', gid, 'isTracked', is_tracked)), '[]')
        from variant
        where shop_id = in_shop and gid = any(variant_gids) and deleted_at is null
      ),
      (
        select coalesce(jsonb_agg(jsonb_build_object('id', id, 'gid', gid, 'isActive', is_active)), '[]')
        from location
        where shop_id = in_shop and gid = any(location_gids)
      );
end
$function$
