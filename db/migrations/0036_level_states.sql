-- On hand: what lies on the shelf is more than what can be sold. on hand = available + committed + unavailable.

alter table stock_level
  -- pieces in unshipped orders, as the platform last said; null: never read
  add column committed int,
  -- damaged, in quality control, safety stock and reserved, as the platform last said; null: never read
  add column unavailable int,
  -- when the worker asked the platform for both
  add column states_read_at timestamptz,
  -- null while never read. Postgres rewrites the table for a stored column: about 3 s per million levels, under a lock
  add column on_hand bigint generated always as (quantity::bigint + committed + unavailable) stored;

-- Variants whose levels the worker has to read from the platform.
create table level_read (
  shop_id bigint not null,
  variant_id bigint not null,
  -- 0: a count waits for it; 1: the platform reported a change; 2: never read, since the release before did not
  priority smallint not null check (priority between 0 and 2),
  requested_at timestamptz not null,
  -- a claim and a pause move it into the future
  due_at timestamptz not null,
  attempts int not null default 0,
  primary key (shop_id, variant_id),
  foreign key (shop_id, variant_id) references variant (shop_id, id)
);

create index on level_read (shop_id, priority, requested_at, variant_id);

alter table stock_count_item
  -- when the API stored the number; counted_at is earlier for a number that was sent late
  add column entered_at timestamptz,
  -- when the worker asked the platform for expected_quantity, which is on hand; null: only estimated
  add column read_at timestamptz;

alter table stock_count
  -- numbers that were submitted without a reading of the platform
  add column stale_item_count int not null default 0;

-- The installed shops of the release before get their states.
insert into level_read (shop_id, variant_id, priority, requested_at, due_at)
select l.shop_id, l.variant_id, 2, now(), now()
from (select distinct shop_id, variant_id from stock_level) l
join shop s on s.id = l.shop_id
join variant v on v.shop_id = l.shop_id and v.id = l.variant_id
where s.uninstalled_at is null and v.deleted_at is null and v.inventory_item_gid is not null;

select graphile_worker.add_job('read-levels', json_build_object('shopId', s.id), max_attempts => 12)
from shop s
join shop_credential c on c.shop_id = s.id
where s.uninstalled_at is null and c.revoked_at is null;
