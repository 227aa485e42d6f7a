-- More product data from the platform, and the shop's locations.

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

create table location (
  shop_id bigint not null references shop,
  id bigint generated always as identity,
  gid text not null,
  name text not null,
  is_active boolean not null default true,
  -- goods of an order without a destination arrive here; at most one
  is_primary boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (shop_id, id),
  unique (shop_id, gid)
);

create unique index location_primary on location (shop_id) where is_primary;

alter table product
  -- when the platform last changed it; older updates are dropped
  add column source_updated_at timestamptz,
  add column deleted_at timestamptz;

alter table variant
  add column barcode text not null default '',
  add column price numeric(19, 4),
  add column inventory_item_gid text,
  -- false: the platform does not track its stock, so alerts and suggestions exclude it
  add column is_tracked boolean not null default true,
  add column deleted_at timestamptz,
  -- product title, title, SKU and barcode in lower case, for substring search
  add column search_text text not null default '';

create index on variant (shop_id, inventory_item_gid);
create index variant_search on variant using gin (shop_id, search_text gin_trgm_ops);
