-- The current text. A migration that changes the function writes it out again; "npm run schema" updates this file.
CREATE OR REPLACE FUNCTION public.push_job(in_shop bigint, job jsonb)
 RETURNS bigint
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
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
$function$
