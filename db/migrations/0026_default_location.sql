-- A merchant may choose where goods arrive when an order does not say. `is_primary` stays what everybody reads: the
-- merchant's choice while that is in use, else what the platform's word leads to.

alter table location
  -- where goods would arrive without a merchant's choice
  add column is_platform_primary boolean not null default false,
  add column is_chosen boolean not null default false;

update location set is_platform_primary = true where is_primary;

create unique index location_chosen on location (shop_id) where is_chosen;
