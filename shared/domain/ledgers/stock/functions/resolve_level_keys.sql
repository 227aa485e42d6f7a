-- The variants that are not deleted and the locations with these ids of the platform, as JSON lists (`shared/domain/ledgers/stock/resolve.ts`).
-- An unknown id is left out. Locks nothing.
-- Why SQL: twice as fast: a session keeps its plan. Planned for each call, the two lookups of one to ten ids take 2.1 times as long.
create or replace function resolve_level_keys(in_shop bigint, variant_gids text[], location_gids text[])
returns table (variants jsonb, locations jsonb)
language plpgsql
stable
set plan_cache_mode = force_generic_plan
as $$
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
$$;
