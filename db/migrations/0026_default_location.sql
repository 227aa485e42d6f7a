-- A merchant may choose the location for goods of orders without a destination. All readers still use `is_primary`: it
-- is the merchant's choice while that location is active, else the platform's primary location.

alter table location
  -- the primary location if the merchant has made no choice
  add column is_platform_primary boolean not null default false,
  add column is_chosen boolean not null default false;

update location set is_platform_primary = true where is_primary;

create unique index location_chosen on location (shop_id) where is_chosen;
