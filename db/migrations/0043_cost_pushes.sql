-- Costs that the worker writes to the platform, and what recognises their echo.

alter table shop_setting
  add column cost_write_back text not null default 'off' check (cost_write_back in ('off', 'last', 'average'));

alter table variant
  -- the last costs that the app sent, newest first, with the time of the newest: a report that repeats one soon after is an echo
  add column pushed_costs numeric(19, 4)[],
  add column pushed_at timestamptz;

-- The cost that the platform should have, one row for each variant until the platform has it.
create table cost_push (
  shop_id bigint not null,
  variant_id bigint not null,
  cost numeric(19, 4) not null check (cost >= 0),
  requested_at timestamptz not null,
  -- the job that sends it; another job may take it after five minutes
  claimed_by text,
  claimed_at timestamptz,
  attempts int not null default 0,
  -- the platform will never accept it; a new cost is tried again
  failed_at timestamptz,
  reason text not null default '',
  primary key (shop_id, variant_id),
  foreign key (shop_id, variant_id) references variant (shop_id, id)
);

create index cost_push_waiting on cost_push (shop_id, requested_at) where failed_at is null;

-- Reports of what was paid read the receipts' bookings by day.
create index cost_movement_received on cost_movement (shop_id, occurred_at) where cause = 'receipt';
