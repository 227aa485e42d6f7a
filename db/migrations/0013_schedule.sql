-- Time slots of scheduled jobs that were enqueued. The worker that inserts the row enqueues the jobs, so that each slot
-- is enqueued once with any number of workers.

create table schedule_slot (
  name text not null,
  slot timestamptz not null,
  created_at timestamptz not null default now(),
  primary key (name, slot)
);
