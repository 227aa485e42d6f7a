-- Returns the job that sends the pushes of this transaction: the one of the shop's newest push, if no worker has taken it, else a new one.
-- 1. Lock the row of the waiting job until the commit. The queue skips locked jobs, so the worker takes this one only when it can read the
--    pushes of all transactions that count on it. A job that is locked already is not waited for.
-- 2. Share a job for a second only: changes that overlap without a pause would lock it forever.
-- 3. Add a job when none can be shared. Adding one is almost half of what Postgres does for a change of one level.
-- Example: three changes within 0.4 s share a job; a fourth, 1.2 s after that job was added, adds another.
-- Why SQL: atomic with the ledger: `move_stock` writes the pushes and their job in one statement.
create or replace function push_job(in_shop bigint, job jsonb)
returns bigint
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
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
$$;
