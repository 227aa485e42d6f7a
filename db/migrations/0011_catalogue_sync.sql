-- Syncs, which read a whole shop. A shop has one running sync at a time; it continues at the stored page.

create table catalog_sync (
  shop_id bigint not null references shop,
  id bigint generated always as identity,
  state text not null default 'running' check (state in ('running', 'done', 'failed')),
  -- the current phase, and the cursor of its next page
  phase text not null default 'locations' check (phase in ('locations', 'products', 'levels', 'orders')),
  cursor text,
  location_count int not null default 0,
  product_count int not null default 0,
  variant_count int not null default 0,
  level_count int not null default 0,
  order_count int not null default 0,
  reason text not null default '',
  started_at timestamptz not null default now(),
  progressed_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (shop_id, id)
);

create unique index catalog_sync_running on catalog_sync (shop_id) where state = 'running';
