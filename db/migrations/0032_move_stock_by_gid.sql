-- A request that changes stock names its levels by the platform's ids. With this function it is one statement: it looks
-- the ids up and calls `move_stock`. An id of another shop, of a deleted or untracked variant, or of a location that is
-- not active changes nothing and answers `unresolved`.
create function move_stock_by_gid(
  in_shop bigint, change jsonb, variant_gids text[], location_gids text[], amounts bigint[], reasons text[],
  platform_reasons text[]
)
returns table (line integer, previous_quantity integer, new_quantity integer, fault text)
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  variant_ids bigint[];
  location_ids bigint[];
begin
  select array_agg(v.id order by key.line), array_agg(l.id order by key.line)
  into variant_ids, location_ids
  from unnest(variant_gids, location_gids) with ordinality as key (variant_gid, location_gid, line)
  left join variant v on v.shop_id = in_shop and v.gid = key.variant_gid and v.deleted_at is null and v.is_tracked
  left join location l on l.shop_id = in_shop and l.gid = key.location_gid and l.is_active;
  if array_position(variant_ids, null) is not null or array_position(location_ids, null) is not null then
    return query select 0, 0, null::integer, 'unresolved';
    return;
  end if;
  return query
    select *
    from move_stock(
      in_shop, change, variant_ids, location_ids, amounts, reasons, platform_reasons,
      array_fill(null::timestamptz, array[cardinality(variant_ids)])
    );
end
$$;

-- A session keeps the plan that it makes at the first call. A plan made while the pushes fit one page scans the whole
-- table at each call until Postgres has analyzed it again, so a shop with many waiting pushes got slower and slower.
alter function move_stock set enable_seqscan = off;
alter function refresh_rules set enable_seqscan = off;
