-- Who works on the queue. A row that is silent for too long is a dead worker, and its jobs are freed.

create table worker_instance (
  id uuid primary key,
  -- what the queue writes into the jobs that this process has taken
  pool_ids text[] not null,
  started_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now()
);
