-- Stores webhook deliveries and enqueues the jobs that apply them, all or nothing. Returns the outcome of each delivery. The deliveries have
-- distinct pairs of shop and webhook id. A webhook id that the shop has sent before is a duplicate and changes nothing.
-- All bodies are projected, and concatenated in one value, because the text form of a bytea array would be twice as long.
-- 1. Find the shops and the place of each body. A domain without an installed shop stores nothing.
-- 2. Insert the deliveries, by shop and webhook id: two concurrent calls with the same webhooks never deadlock.
-- 3. Enqueue the jobs: each gets at most `most_per_job` deliveries, and about `most_bytes_per_job` of their bodies.
-- Example: 120 stored deliveries of a topic with 50 per job: jobs of 50, 50 and 20.
-- Why SQL: twice as fast: the statement of `POST /webhooks` runs thousands of times a minute, and Postgres takes longer to parse and plan
-- it than to run it. A function keeps its plan for each connection, also behind PgBouncer (docs/performance.md).
create or replace function store_projected_deliveries(
  domains text[], topics text[], jobs text[], attempts int[], webhook_ids text[], event_ids text[], triggered timestamptz[],
  body_lengths int[], origins text[], bodies bytea, most_per_job int, most_bytes_per_job int
)
returns table ("position" int, is_installed boolean, is_stored boolean)
language plpgsql
as $$
#variable_conflict use_column
begin
  return query
    with incoming as (
      select i.topic, i.job, i.max_attempts, i.webhook_id, i.event_id, i.triggered_at, i.bytes, i.origin, i.place,
        s.id as shop_id, sum(i.bytes) over (order by i.place) - i.bytes as start
      from unnest(domains, topics, jobs, attempts, webhook_ids, event_ids, triggered, body_lengths, origins)
        with ordinality as i (domain, topic, job, max_attempts, webhook_id, event_id, triggered_at, bytes, origin, place)
      left join shop s on s.domain = i.domain and s.uninstalled_at is null
    ),
    stored as (
      insert into webhook_delivery as w (shop_id, topic, webhook_id, event_id, triggered_at, payload, is_projected)
      select shop_id, topic, webhook_id, event_id, triggered_at, substring(bodies from start::int + 1 for bytes), true
      from incoming
      where shop_id is not null
      -- a fixed order: two concurrent calls with the same webhooks never deadlock
      order by shop_id, webhook_id
      on conflict do nothing
      returning w.shop_id, w.id, w.webhook_id
    ),
    numbered as (
      select i.job, i.max_attempts, i.origin, d.shop_id, d.id,
        (row_number() over earlier - 1) / most_per_job + sum(i.bytes) over earlier / most_bytes_per_job as part
      from stored d
      join incoming i on i.shop_id = d.shop_id and i.webhook_id = d.webhook_id
      window earlier as (partition by i.job order by d.id)
    ),
    spec as (
      select row(
        job, json_agg(json_build_object('shopId', shop_id, 'deliveryId', id) order by id),
        null, null, max_attempts, null, null,
        string_to_array(trim(string_agg(origin, ' ' order by id)), ' ')
      )::graphile_worker.job_spec as spec
      from numbered
      group by job, max_attempts, part
    ),
    enqueued as (
      select count(*) as jobs
      from (select array_agg(spec) as specs from spec having count(*) > 0) all_specs
      cross join lateral graphile_worker.add_jobs(specs)
    )
    select i.place::int, i.shop_id is not null, d.id is not null
    from enqueued
    cross join incoming i
    left join stored d on d.shop_id = i.shop_id and d.webhook_id = i.webhook_id
    order by i.place;
end
$$;
