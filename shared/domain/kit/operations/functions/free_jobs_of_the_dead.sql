-- Frees the jobs of dead workers and returns them, each with its crashes. The lost attempt does not count. `silent` is how long a worker
-- may be without a beat, `orphaned` how long a job may be locked by a pool of no worker; null: do not search for such jobs.
-- 1. Dead workers are those with has_ended, or with a last_seen_at older than `silent`. Their rows are deleted, so of two callers one frees.
-- 2. Each job that ran when its worker died gets one more crash in job_crash. If a job ran alone, only that job; else all but those with
--    two crashes, which run only alone. No crash is counted when the worker ended for another reason, or when Postgres restarted.
-- 3. With `orphaned`, jobs that were locked that long ago by a pool of no worker_instance are freed, too: their worker locked them just when
--    its row was deleted. An advisory lock until the commit serializes callers that see the same ones.
-- 4. A job with three crashes keeps one attempt, in which the worker sets it aside.
-- Example: a job that ran beside others has 2 attempts of 12 and 1 crash when its worker dies: it has 1 attempt and 2 crashes, and next runs alone.
-- Why SQL: atomic with the queue, whose ledger job_crash is: a worker that dies between two statements would lose the crash or the job.
create or replace function free_jobs_of_the_dead(silent interval, orphaned interval)
returns table (id bigint, task text, crashes int)
language plpgsql
as $$
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
$$;
