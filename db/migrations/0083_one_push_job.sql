-- A stock change uses the push job of the shop that waits, instead of adding one of its own: adding a job was almost
-- half of what Postgres did for a change of one level.
alter table stock_push add column job_id bigint;

-- Fewer and smaller statements, since their start is most of the time of a small change.
create or replace function move_stock(in_shop bigint, change jsonb, variant_ids bigint[], location_ids bigint[], amounts bigint[], reasons text[], platform_reasons text[], counted_ats timestamp with time zone[])
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
  loop
    -- 1. Lock each variant, then its level: no other transaction can change or create a level meanwhile.
    with locked as materialized (
      select key.line, key.amount, l.quantity
      from unnest(variant_ids, location_ids, amounts) with ordinality as key (variant_id, location_id, amount, line)
      join variant v on v.shop_id = in_shop and v.id = key.variant_id
      join stock_level l on l.shop_id = in_shop and l.variant_id = key.variant_id and l.location_id = key.location_id
      order by v.id, l.location_id
      for no key update of v, l
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
    perform from variant where shop_id = in_shop and id = any(variant_ids) order by id for no key update;
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

  -- 4. Queue a push for each platform reason and 250 lines of the request. A counted level is pushed without a change,
  -- too: the platform needs the count, as its updates may be late.
  for push in
    select l.reason, (l.line - 1) / max_push_lines as part
    from unnest(platform_reasons, previous, following, counted_ats) with ordinality
      as l (reason, before, after, counted_at, line)
    where l.before <> l.after or l.counted_at is not null
    group by l.reason, part
    order by min(l.line)
  loop
    if push_job_id is null then
      push_job_id := push_job(in_shop, change->'job');
    end if;
    insert into stock_push (shop_id, form, reason, reference, job_id)
    values (in_shop, change->>'form', push.reason, change->>'reference', push_job_id)
    returning id into push_id;
    insert into stock_push_line (shop_id, push_id, variant_id, location_id, delta, counted_at)
    select in_shop, push_id, l.variant_id, l.location_id, (l.after - l.before)::integer, l.counted_at
    from unnest(variant_ids, location_ids, previous, following, platform_reasons, counted_ats) with ordinality
      as l (variant_id, location_id, before, after, reason, counted_at, line)
    where l.reason = push.reason and (l.line - 1) / max_push_lines = push.part
      and (l.before <> l.after or l.counted_at is not null);
  end loop;
  if push_id is null then
    return;
  end if;

  perform refresh_rules(in_shop, variant_ids);
  return query
    select l.line::integer, l.before, l.after::integer, null::text
    from unnest(previous, following, counted_ats) with ordinality as l (before, after, counted_at, line)
    where l.before <> l.after or l.counted_at is not null
    order by l.line;
end
$function$;

-- Returns the job that sends the pushes of this transaction: the one of the shop's newest push, if no worker has taken
-- it, else a new one.
-- 1. The transaction locks the job's row until it commits. The queue skips locked jobs, so the worker takes this one
--    only when it can read the pushes of all transactions that count on it.
-- 2. A job is shared for a second: changes that overlap without a pause would lock it forever.
create function push_job(in_shop bigint, job jsonb)
 returns bigint
 language plpgsql
 set plan_cache_mode to 'force_generic_plan'
 set enable_seqscan to 'off'
as $function$
declare
  job_id bigint;
begin
  select p.job_id into job_id
  from stock_push p
  where p.shop_id = in_shop and p.state in ('queued', 'sending', 'failed')
  order by p.id desc
  limit 1;
  perform
  from graphile_worker._private_jobs j
  where j.id = job_id and j.locked_at is null and j.attempts = 0 and j.run_at <= clock_timestamp()
    and j.created_at > clock_timestamp() - interval '1 second'
  for key share skip locked;
  if found then
    return job_id;
  end if;
  select added.id into job_id
  from graphile_worker.add_job(
    job->>'name',
    json_build_object('shopId', in_shop),
    max_attempts => (job->>'maxAttempts')::integer,
    priority => (job->>'priority')::integer,
    flags => array(select jsonb_array_elements_text(job->'flags'))
  ) added;
  return job_id;
end
$function$;

-- One statement reads all facts, and the others run only when there is something to write.
create or replace function refresh_rules(in_shop bigint, variant_ids bigint[], is_only_raising boolean default false)
 returns void
 language plpgsql
 set plan_cache_mode to 'force_generic_plan'
 set enable_seqscan to 'off'
as $function$
declare
  rule_ids bigint[];
  stocks bigint[];
  -- the pieces that are left after the sales which no level includes yet
  left_overs bigint[];
  is_stale boolean;
  low_rule_ids bigint[];
  recovered_alert_ids bigint[];
begin
  -- 1. Lock the rules, in the order that every transaction uses.
  select array_agg(id) into rule_ids
  from (
    select id
    from reorder_rule
    where shop_id = in_shop and variant_id = any(variant_ids)
    order by id
    for no key update
  ) locked;
  if rule_ids is null then
    return;
  end if;

  -- 2. Sum the stock in a statement of its own, which sees what was committed before the lock.
  select array_agg(r.id), array_agg(level.pieces), array_agg(level.pieces - sold.pieces),
    bool_or(r.current_stock <> level.pieces),
    array_agg(r.id) filter (where state.is_low and coalesce(c.low_stock_alerts, true)),
    array_agg(a.id) filter (where not state.is_low and a.id is not null)
  into rule_ids, stocks, left_overs, is_stale, low_rule_ids, recovered_alert_ids
  from reorder_rule r
  join variant v on v.shop_id = in_shop and v.id = r.variant_id
  left join alert_configuration c on c.shop_id = in_shop
  left join alert a on a.shop_id = in_shop and a.type = 'low_stock' and a.subject = 'reorder_rule/' || r.id
    and a.resolved_at is null
  cross join lateral (
    select coalesce(sum(l.quantity) filter (where l.location_id = coalesce(r.location_id, l.location_id)), 0) as pieces,
      coalesce(max(l.platform_updated_at), 'infinity') as reported_at,
      coalesce(bool_or(l.location_id <> r.location_id and l.quantity > 0), false) as is_elsewhere
    from stock_level l
    where l.shop_id = in_shop and l.variant_id = r.variant_id
  ) level
  cross join lateral (
    -- An order has no location: a rule of one location subtracts it only if no other location has stock.
    select coalesce(sum(s.quantity), 0) as pieces
    from sale s
    where s.shop_id = in_shop and s.variant_gid = v.gid and s.ordered_at > level.reported_at
      and not level.is_elsewhere
  ) sold
  cross join lateral (
    select v.is_tracked and v.deleted_at is null and level.pieces - sold.pieces
      < r.reorder_point * (1 + coalesce(c.alert_threshold_percent, 0) / 100) as is_low
  ) state
  where r.shop_id = in_shop and r.id = any(rule_ids);

  -- 3. Store the stock, and resolve the alerts of rules that are no longer low.
  if is_stale and not is_only_raising then
    update reorder_rule r
    set current_stock = rule.stock
    from unnest(rule_ids, stocks) as rule (id, stock)
    where r.shop_id = in_shop and r.id = rule.id and r.current_stock <> rule.stock;
  end if;
  if recovered_alert_ids is not null and not is_only_raising then
    perform from alert where shop_id = in_shop and id = any(recovered_alert_ids) order by id for no key update;
    update alert
    set resolved_at = now()
    where shop_id = in_shop and id = any(recovered_alert_ids) and resolved_at is null;
  end if;

  -- 4. Raise the alerts. An open one says what is left now, and the reorder point as it is now.
  if low_rule_ids is null then
    return;
  end if;
  insert into alert (shop_id, type, subject, message, product_gid)
  select in_shop, 'low_stock', 'reorder_rule/' || r.id,
    concat(
      case
        when v.confirmed_at is null then v.title
        when v.title = '' then p.title
        else p.title || ' - ' || v.title
      end,
      ' is low', ' at ' || w.name, ': ', greatest(rule.left_over, 0), ' left, reorder point ', r.reorder_point, '.'
    ),
    p.gid
  from unnest(rule_ids, left_overs) as rule (id, left_over)
  join reorder_rule r on r.shop_id = in_shop and r.id = rule.id
  join variant v on v.shop_id = in_shop and v.id = r.variant_id
  join product p on p.shop_id = in_shop and p.id = v.product_id
  left join location w on w.shop_id = in_shop and w.id = r.location_id
  where rule.id = any(low_rule_ids)
  order by r.id
  on conflict (shop_id, type, subject) where resolved_at is null
  do update set message = excluded.message where alert.message <> excluded.message;
end
$function$;
