-- Which daily work has been handed to the queue: whoever adds the row adds the jobs, however many workers there are.

create table schedule_slot (
  name text not null,
  slot timestamptz not null,
  created_at timestamptz not null default now(),
  primary key (name, slot)
);
