-- Counts push differences since migration 36, so no change of stock has the time of its count any more. `move_stock` ignores `counted_ats`,
-- which processes of the previous release still send, without a value. They also read `stock_push_line.counted_at`, so a later release
-- drops both.

-- A count that release 0.1.0 queued includes the sales before it. Their updates may arrive later, and would count twice without the time of
-- the count. So it is not sent: the merchant discards it, and counts again.
with stopped as (
  update stock_push p
  set state = 'failed', error = 'An earlier release queued this count, and sales since then would count twice.'
  where p.state in ('queued', 'failed') and exists (
    select from stock_push_line l where l.shop_id = p.shop_id and l.push_id = p.id and l.counted_at is not null
  )
  returning p.shop_id, p.id
)
insert into alert (shop_id, type, subject, message)
select s.shop_id, 'sync_conflict', 'stock_push/' || s.id,
  'A count was not synced to the platform: an earlier release queued it, and sales since then would count twice. Discard it, and count again.'
from stopped s
on conflict (shop_id, type, subject) where resolved_at is null do update set message = excluded.message;

create or replace function move_stock(in_shop bigint, change jsonb, variant_ids bigint[], location_ids bigint[], amounts bigint[], reasons text[], platform_reasons text[], counted_ats timestamp with time zone[] default null)
 returns table(line integer, previous_quantity integer, new_quantity integer, fault text)
 language plpgsql
 set plan_cache_mode to 'force_generic_plan'
 set enable_seqscan to 'off'
as $function$
#variable_conflict use_column
declare
  max_quantity constant integer := 1000000000;
  -- the platform's maximum
  max_push_lines constant integer := 250;
  is_absolute constant boolean := change->>'isAbsolute';
  allow_negative constant boolean := change->>'allowNegative';
  previous integer[];
  following bigint[];
  faults text[];
  push record;
  push_id bigint;
  push_job_id bigint;
begin
  -- 1. Lock each variant once, then its levels: no other transaction can change or create a level meanwhile.
  perform from variant where shop_id = in_shop and id = any(variant_ids) order by id for no key update;
  loop
    with locked as materialized (
      select key.line, key.amount, l.quantity
      from unnest(variant_ids, location_ids, amounts) with ordinality as key (variant_id, location_id, amount, line)
      join stock_level l on l.shop_id = in_shop and l.variant_id = key.variant_id and l.location_id = key.location_id
      order by l.variant_id, l.location_id
      for no key update of l
    ),
    -- 2. An amount is the quantity to set, or the pieces to add.
    changed as (
      select line, quantity, case when is_absolute then amount else quantity + amount end as after
      from locked
    )
    select array_agg(quantity order by line), array_agg(after order by line),
      array_agg(
        case
          when abs(after) > max_quantity then 'too_large'
          when after < 0 and after < quantity and not allow_negative then 'insufficient'
        end
        order by line
      )
    into previous, following, faults
    from changed;
    exit when coalesce(cardinality(previous), 0) = cardinality(variant_ids);

    -- Create the levels that are missing, and begin again.
    insert into stock_level (shop_id, variant_id, location_id)
    select in_shop, key.variant_id, key.location_id
    from unnest(variant_ids, location_ids) as key (variant_id, location_id)
    where not exists (
      select from stock_level l
      where l.shop_id = in_shop and l.variant_id = key.variant_id and l.location_id = key.location_id
    )
    order by key.variant_id, key.location_id
    on conflict do nothing;
  end loop;
  if array_remove(faults, null) <> '{}' then
    return query
      select l.line::integer, l.previous, null::integer, l.fault
      from unnest(previous, faults) with ordinality as l (previous, fault, line)
      where l.fault is not null;
    return;
  end if;

  -- 3. Change the levels and write the movements.
  update stock_level l
  set quantity = m.after, updated_at = now()
  from unnest(variant_ids, location_ids, previous, following) as m (variant_id, location_id, before, after)
  where l.shop_id = in_shop and l.variant_id = m.variant_id and l.location_id = m.location_id and m.before <> m.after;
  insert into stock_movement (
    shop_id, variant_id, location_id, previous_quantity, new_quantity, kind, reason, reference, actor, occurred_at
  )
  select in_shop, m.variant_id, m.location_id, m.before, m.after, change->>'kind', m.reason, change->>'reference',
    change->>'actor', clock_timestamp() -- in the order in which transactions lock the levels
  from unnest(variant_ids, location_ids, previous, following, reasons)
    as m (variant_id, location_id, before, after, reason)
  where m.before <> m.after
  order by m.variant_id, m.location_id;

  -- 4. Queue a push for each platform reason and 250 lines of the request.
  for push in
    select l.reason, (l.line - 1) / max_push_lines as part
    from unnest(platform_reasons, previous, following) with ordinality as l (reason, before, after, line)
    where l.before <> l.after
    group by l.reason, part
    order by min(l.line)
  loop
    if push_job_id is null then
      push_job_id := push_job(in_shop, change->'job');
    end if;
    insert into stock_push (shop_id, form, reason, reference, job_id)
    values (in_shop, change->>'form', push.reason, change->>'reference', push_job_id)
    returning id into push_id;
    insert into stock_push_line (shop_id, push_id, variant_id, location_id, delta)
    select in_shop, push_id, l.variant_id, l.location_id, (l.after - l.before)::integer
    from unnest(variant_ids, location_ids, previous, following, platform_reasons) with ordinality
      as l (variant_id, location_id, before, after, reason, line)
    where l.before <> l.after and l.reason = push.reason and (l.line - 1) / max_push_lines = push.part;
  end loop;
  if push_id is null then
    return;
  end if;

  perform refresh_rules(in_shop, variant_ids);
  return query
    select l.line::integer, l.before, l.after::integer, null::text
    from unnest(previous, following) with ordinality as l (before, after, line)
    where l.before <> l.after
    order by l.line;
end
$function$;

create or replace function move_stock_by_gid(in_shop bigint, change jsonb, variant_gids text[], location_gids text[], amounts bigint[], reasons text[], platform_reasons text[])
 returns table(line integer, previous_quantity integer, new_quantity integer, fault text)
 language plpgsql
 set plan_cache_mode to 'force_generic_plan'
 set enable_seqscan to 'off'
as $function$
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
$function$;
