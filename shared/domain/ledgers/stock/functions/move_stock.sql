-- Changes stock levels, and writes their movements, their pushes with a job, the stock of reorder rules and the low-stock alerts, all or
-- nothing. Returns the changed lines; or, when the change is refused, the faulty lines, and writes nothing: `insufficient` when a
-- decrease ends below 0, `too_large` above 1 000 000 000 pieces. `shared/domain/ledgers/stock/move.ts` has the words of both.
-- Element n of each array belongs to line n, and no two lines have the same level. `change` names kind, form, reference, actor, the job of
-- the push, `isAbsolute` and `allowNegative`. `counted_ats` is ignored: only processes of an earlier release send it.
-- 1. Lock each variant once, then its levels, both by id, and create missing levels: no other transaction changes or creates one meanwhile.
--    A variant is locked once because statements that locked it once for each level deadlocked with receipts.
-- 2. Compute each level. An amount is the quantity to set (`isAbsolute`), or the pieces to add. Return the faults, if there are some.
-- 3. Change the levels and write the movements. Their time is that of the lock, so that movements of a level are in its order.
-- 4. Queue a push for each platform reason and 250 lines of the request, and one job for all (`push_job`).
-- 5. Update the stock and the alerts of the reorder rules (`refresh_rules`), which are locked after the levels.
-- Example: a level of 10 with the amount -3 becomes 7, with one movement 10 -> 7 and a push line of -3. With the amount -12 it is
-- `insufficient`; with 7 and `isAbsolute` it becomes 7, too.
-- Why SQL: atomic with the ledger; and four times as fast as ten statements (docs/performance.md, "The price of a write").
create or replace function move_stock(
  in_shop bigint, change jsonb, variant_ids bigint[], location_ids bigint[], amounts bigint[], reasons text[],
  platform_reasons text[], counted_ats timestamptz[] default null::timestamptz[]
)
returns table (line int, previous_quantity int, new_quantity int, fault text)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
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
$$;
