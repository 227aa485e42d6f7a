-- The running worker processes. A row with an old last_seen_at is a dead worker, whose jobs are freed.

create table worker_instance (
  id uuid primary key,
  -- the values of `locked_by` in jobs that this process has locked
  pool_ids text[] not null,
  started_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now()
);
