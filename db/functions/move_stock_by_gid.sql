-- The current text. A migration that changes the function writes it out again; "npm run schema" updates this file.
CREATE OR REPLACE FUNCTION public.move_stock_by_gid(in_shop bigint, change jsonb, variant_gids text[], location_gids text[], amounts bigint[], reasons text[], platform_reasons text[])
 RETURNS TABLE(line integer, previous_quantity integer, new_quantity integer, fault text)
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
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
$function$
