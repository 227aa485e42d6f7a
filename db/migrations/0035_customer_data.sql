-- Bodies of webhooks contain customers' names and addresses. Web stores only the fields that the jobs read
-- (`shared/domain/kit/webhook-fields/projection.ts`). The previous release stored whole bodies, and its processes still do
-- during the deploy: a job projects those.

-- The payload holds no other field than those that the jobs read.
alter table webhook_delivery add column is_projected boolean not null default false;

-- Empty after the first runs of the job.
create index webhook_delivery_unprojected on webhook_delivery (shop_id, id) where not is_projected;

-- The topics and fields of the check, as a digest: a release that subscribes to others repairs the subscriptions soon.
alter table webhook_subscription_check add column subscriptions text not null default '';

-- As `store_deliveries`, which the previous release calls. The bodies must be projected.
create function store_projected_deliveries(
  domains text[],
  topics text[],
  jobs text[],
  attempts int[],
  webhook_ids text[],
  event_ids text[],
  triggered timestamptz[],
  body_lengths int[],
  origins text[], -- the request context: flags of the job, separated by spaces
  bodies bytea,
  most_per_job int,
  most_bytes_per_job int
)
returns table ("position" int, is_installed boolean, is_stored boolean)
language plpgsql as $$
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

-- The second run finds what the previous release has stored during the deploy; a daily one finds the rest.
select graphile_worker.add_job('project-deliveries', '{}', run_at => now() + delay, max_attempts => 12)
from unnest(array[interval '0', interval '1 hour']) as delay
where exists (select from webhook_delivery);
