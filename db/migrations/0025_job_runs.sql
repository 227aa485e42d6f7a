-- What became of each attempt of a job. The queue forgets a job once it is done; this remembers it for 7 days.

create table job_run (
  -- not by shop: some jobs are of none, and the log of the queue stays where the queue is
  id bigint generated always as identity primary key,
  job_id bigint not null,
  task text not null,
  -- an attempt for several shops has a row for each; null where the job is of no shop
  shop_id bigint references shop,
  -- ids only; of a list those entries that ended like this, as in {"deliveryId": [1, 2]}
  payload jsonb not null default '{}',
  attempt int not null,
  max_attempts int not null,
  state text not null check (state in ('done', 'failed', 'dropped', 'handed_back')),
  error text not null default '',
  started_at timestamptz not null,
  ended_at timestamptz not null,
  ms int not null,
  -- who did it, as in worker_instance; that row is gone when the process is
  worker_id uuid not null
);

create index on job_run (shop_id, id);
create index on job_run (job_id);
create index on job_run (ended_at);
