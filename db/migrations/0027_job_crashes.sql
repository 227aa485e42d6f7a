-- Which jobs processes have died with, so that one which ends its process every time is set aside.

create table job_crash (
  -- a job of the queue; of one that is done the row is deleted
  job_id bigint primary key,
  crashes int not null default 1,
  last_at timestamptz not null default now()
);

alter table worker_instance
  -- the one job that runs in this process while all others wait
  add column alone_job_id bigint,
  -- it has ended by itself, for a reason that lies in none of its jobs: they are free
  add column has_ended boolean not null default false;

-- those that a person has to decide about are few, and counted all the time
create index outgoing_mail_unknown on outgoing_mail (settled_at) where state = 'unknown';

-- Frees the jobs of workers that have ended or been silent for so long, and of pools on no list when `orphaned` is
-- given: those were taken in the moment when their process was given up. None of it counts as an attempt. Each job that ran when its
-- process died is noted in job_crash: of a process where one ran alone only that one, else all but those that have died
-- twice, which never run but alone. A job with three crashes is left its last attempt, to be set aside in.
create function free_jobs_of_the_dead(silent interval, orphaned interval)
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
      -- Postgres was away: that is why it died
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

  -- two that see the same orphans would both give back the attempt: the second finds them freed
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
