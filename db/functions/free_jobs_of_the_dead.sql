-- The current text. A migration that changes the function writes it out again; "npm run schema" updates this file.
CREATE OR REPLACE FUNCTION public.free_jobs_of_the_dead(silent interval, orphaned interval)
 RETURNS TABLE(id bigint, task text, crashes integer)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
declare
  pools text[];
  freed bigint[];
begin
  with dead as (
    delete from worker_instance where has_ended or last_seen_at < now() - silent returning *
  ),
  counted as (
    insert into job_crash as c (job_id)
    select j.id
    from dead d
    join graphile_worker.jobs j on j.locked_by = any(d.pool_ids)
    left join job_crash before on before.job_id = j.id
    where not d.has_ended
      -- Postgres has restarted since, which is why the worker died
      and pg_postmaster_start_time() < d.last_seen_at
      and case when d.alone_job_id is null then coalesce(before.crashes, 0) < 2 else j.id = d.alone_job_id end
    on conflict (job_id) do update set crashes = c.crashes + 1, last_at = now()
  )
  select array_agg(pool) into pools from dead, unnest(pool_ids) as pool;

  if orphaned is not null then
    select coalesce(pools, '{}') || coalesce(array_agg(distinct locked_by), '{}') into pools
    from graphile_worker.jobs j
    where locked_at < now() - orphaned
      and not exists (select from worker_instance w where j.locked_by = any(w.pool_ids));
  end if;
  if coalesce(cardinality(pools), 0) = 0 then
    return;
  end if;

  -- Serializes callers: two that see the same orphans would both give back the attempt
  perform pg_advisory_xact_lock(hashtext('free_jobs_of_the_dead'));
  select array_agg(j.id) into freed from graphile_worker.jobs j where locked_by = any(pools);
  perform graphile_worker.force_unlock_workers(pools);
  return query
    select r.id, j.task_identifier, coalesce(c.crashes, 0)
    from graphile_worker.jobs j
    left join job_crash c on c.job_id = j.id
    cross join lateral graphile_worker.reschedule_jobs(
      array[j.id],
      attempts => case when c.crashes >= 3 then j.max_attempts - 1 else greatest(j.attempts - 1, 0) end
    ) r
    where j.id = any(freed)
    order by r.id;
end
$function$
