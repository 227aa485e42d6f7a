-- `move_stock` for levels that the platform's ids name, in one statement. A refused request changes nothing, and the result is one row:
--   unlisted_reason  the shop requires reasons, and one of `change.reasons` is not in its list, or in `change.defaultReasons` without a list
--   unresolved       an id is not one of an active location or of a tracked variant of the shop
-- `requireReasons` has the same rule about reasons, and words the errors. Locks what `move_stock` locks.
-- 1. Check the reasons, if the request has some.
-- 2. Look the ids up.
-- 3. Call `move_stock`.
-- Why SQL: atomic with the ledger; and twice as fast as with a statement of its own for the ids (docs/performance.md, "The price of a write").
create or replace function move_stock_by_gid(
  in_shop bigint, change jsonb, variant_gids text[], location_gids text[], amounts bigint[], reasons text[],
  platform_reasons text[]
)
returns table (line int, previous_quantity int, new_quantity int, fault text)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  variant_ids bigint[];
  location_ids bigint[];
begin
  if change ? 'reasons' and exists (
    select
    from shop_setting t
    where t.shop_id = in_shop and t.adjustment_reason_required
      and not coalesce(to_jsonb(t.adjustment_reasons), change->'defaultReasons') @> (change->'reasons')
  ) then
    return query select 0, 0, null::integer, 'unlisted_reason';
    return;
  end if;
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
    from move_stock(in_shop, change, variant_ids, location_ids, amounts, reasons, platform_reasons);
end
$$;
