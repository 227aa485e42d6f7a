-- The outcome of each attempt of a job, for 7 days. The queue deletes a job when it is done.

create table job_run (
  -- no shop_id in the key: some jobs belong to no shop, and this table stays on the node of the queue
  id bigint generated always as identity primary key,
  job_id bigint not null,
  task text not null,
  -- an attempt for several shops has one row per shop; null when the job belongs to no shop
  shop_id bigint references shop,
  -- only ids; for a list payload, those of the entries with this outcome, as in {"deliveryId": [1, 2]}
  payload jsonb not null default '{}',
  attempt int not null,
  max_attempts int not null,
  state text not null check (state in ('done', 'failed', 'dropped', 'handed_back')),
  error text not null default '',
  started_at timestamptz not null,
  ended_at timestamptz not null,
  ms int not null,
  -- the worker's id in worker_instance; that row is deleted when the process ends
  worker_id uuid not null
);

create index on job_run (shop_id, id);
create index on job_run (job_id);
create index on job_run (ended_at);
