-- The statements of a stock change as functions: a session plans them once, behind PgBouncer, too, and the web process
-- sends one statement instead of ten. Postgres would otherwise plan some of them at each call, since it prefers a plan for
-- the given arrays. docs/performance.md, "The price of a write", has the measurements.

-- A movement belongs to a level, whose variant belongs to the shop, so this check repeats a check. It locks the shop's row.
alter table stock_movement drop constraint stock_movement_shop_id_fkey;

-- The variants that are not deleted and the locations, as `shared/domain/ledgers/stock/resolve.ts` reads them.
create function resolve_level_keys(in_shop bigint, variant_gids text[], location_gids text[])
returns table (variants jsonb, locations jsonb)
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
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

-- `shared/domain/ledgers/stock/low-stock.ts` describes it. With `is_only_raising` it resolves no alerts.
create function refresh_rules(in_shop bigint, variant_ids bigint[], is_only_raising boolean default false)
returns void
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  rule_ids bigint[];
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
  with level as (
    select r.id as rule_id,
      coalesce(sum(l.quantity) filter (where l.location_id = coalesce(r.location_id, l.location_id)), 0) as pieces,
      coalesce(max(l.platform_updated_at), 'infinity') as reported_at,
      coalesce(bool_or(l.location_id <> r.location_id and l.quantity > 0), false) as is_elsewhere
    from reorder_rule r
    left join stock_level l on l.shop_id = r.shop_id and l.variant_id = r.variant_id
    where r.shop_id = in_shop and r.id = any(rule_ids)
    group by r.id
  ),
  rule as (
    select r.id, 'reorder_rule/' || r.id as subject, r.reorder_point, level.pieces as stock, r.current_stock,
      -- the pieces that are left after the sales which no level includes yet
      level.pieces - sold.pieces as left_over,
      v.id as variant_id, r.location_id,
      coalesce(c.low_stock_alerts, true) as has_alerts,
      v.is_tracked and v.deleted_at is null and level.pieces - sold.pieces
        < r.reorder_point * (1 + coalesce(c.alert_threshold_percent, 0) / 100) as is_low
    from level
    join reorder_rule r on r.shop_id = in_shop and r.id = level.rule_id
    join variant v on v.shop_id = r.shop_id and v.id = r.variant_id
    left join alert_configuration c on c.shop_id = r.shop_id
    cross join lateral (
      -- An order has no location: a rule of one location subtracts it only if no other location has stock.
      select coalesce(sum(s.quantity), 0) as pieces
      from sale s
      where s.shop_id = v.shop_id and s.variant_gid = v.gid and s.ordered_at > level.reported_at
        and not level.is_elsewhere
    ) sold
  ),
  stored as (
    update reorder_rule r
    set current_stock = rule.stock
    from rule
    where not is_only_raising and r.shop_id = in_shop and r.id = rule.id and rule.current_stock <> rule.stock
  ),
  recovered as (
    select a.id
    from rule
    join alert a on a.shop_id = in_shop and a.type = 'low_stock' and a.subject = rule.subject and a.resolved_at is null
    where not is_only_raising and not rule.is_low
    order by a.id
    for no key update of a
  ),
  resolved as (
    update alert a
    set resolved_at = now()
    from recovered
    where a.shop_id = in_shop and a.id = recovered.id
  )
  insert into alert (shop_id, type, subject, message, product_gid)
  select in_shop, 'low_stock', rule.subject,
    concat(
      case
        when v.confirmed_at is null then v.title
        when v.title = '' then p.title
        else p.title || ' - ' || v.title
      end,
      ' is low', ' at ' || w.name, ': ', greatest(rule.left_over, 0), ' left, reorder point ', rule.reorder_point, '.'
    ),
    p.gid
  from rule
  join variant v on v.shop_id = in_shop and v.id = rule.variant_id
  join product p on p.shop_id = in_shop and p.id = v.product_id
  left join location w on w.shop_id = in_shop and w.id = rule.location_id
  where rule.is_low and rule.has_alerts
  order by rule.id
  on conflict (shop_id, type, subject) where resolved_at is null do nothing;
end
$$;

-- `shared/domain/ledgers/stock/move.ts` describes it. Element n of each array belongs to line n, and no two lines have the same
-- level. `fault` is `insufficient` or `too_large`; with one, nothing is written.
create function move_stock(
  in_shop bigint,
  change jsonb,
  variant_ids bigint[],
  location_ids bigint[],
  amounts bigint[],
  reasons text[],
  platform_reasons text[],
  counted_ats timestamptz[]
)
returns table (line integer, previous_quantity integer, new_quantity integer, fault text)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  max_quantity constant integer := 1000000000;
  previous integer[];
  following bigint[];
  faults text[];
  push record;
begin
  -- 1. Lock the variants, then the levels: no other transaction can change or create a level meanwhile.
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

  -- 2. An amount is the quantity to set, or the pieces to add.
  with locked as materialized (
    select key.line, key.amount, l.quantity
    from unnest(variant_ids, location_ids, amounts) with ordinality as key (variant_id, location_id, amount, line)
    join stock_level l on l.shop_id = in_shop and l.variant_id = key.variant_id and l.location_id = key.location_id
    order by l.variant_id, l.location_id
    for no key update of l
  ),
  changed as (
    select line, quantity, case when (change->>'isAbsolute')::boolean then 0 else quantity end + amount as after
    from locked
  )
  select array_agg(quantity order by line), array_agg(after order by line),
    array_agg(
      case
        when abs(after) > max_quantity then 'too_large'
        when after < 0 and after < quantity and not (change->>'allowNegative')::boolean then 'insufficient'
      end
      order by line
    )
  into previous, following, faults
  from changed;
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

  -- 4. Queue a push for each platform reason and 250 lines, the platform's maximum, and one job that sends them.
  -- A counted level is pushed without a change, too: the platform needs the count, as its updates may be late.
  for push in
    select p.reason, array_agg(p.variant_id) as variant_ids, array_agg(p.location_id) as location_ids,
      array_agg(p.delta) as deltas, array_agg(p.counted_at) as counted_ats
    from (
      select l.platform_reason as reason, l.variant_id, l.location_id, (l.after - l.before)::integer as delta, l.counted_at,
        (row_number() over (partition by l.platform_reason order by l.line) - 1) / 250 as part, l.line
      from unnest(variant_ids, location_ids, previous, following, platform_reasons, counted_ats) with ordinality
        as l (variant_id, location_id, before, after, platform_reason, counted_at, line)
      where l.before <> l.after or l.counted_at is not null
    ) p
    group by p.reason, p.part
    order by min(p.line)
  loop
    with queued as (
      insert into stock_push (shop_id, form, reason, reference)
      values (in_shop, change->>'form', push.reason, change->>'reference')
      returning id
    )
    insert into stock_push_line (shop_id, push_id, variant_id, location_id, delta, counted_at)
    select in_shop, queued.id, l.variant_id, l.location_id, l.delta, l.counted_at
    from queued, unnest(push.variant_ids, push.location_ids, push.deltas, push.counted_ats)
      as l (variant_id, location_id, delta, counted_at);
  end loop;
  if not found then
    return;
  end if;
  perform graphile_worker.add_job(
    change->'job'->>'name',
    json_build_object('shopId', in_shop),
    max_attempts => (change->'job'->>'maxAttempts')::integer,
    flags => array(select jsonb_array_elements_text(change->'job'->'flags'))
  );

  perform refresh_rules(in_shop, variant_ids);
  return query
    select l.line::integer, l.before, l.after::integer, null::text
    from unnest(previous, following, counted_ats) with ordinality as l (before, after, counted_at, line)
    where l.before <> l.after or l.counted_at is not null
    order by l.line;
end
$$;
