-- Lists that find what they are asked for, product data on drafts, and the night of each shop.

-- The alerts that were resolved lately, of a shop that has many.
create index alert_resolved on alert (shop_id, resolved_at) where resolved_at is not null;

-- The last local date for which the nightly jobs of a shop were enqueued.
create table shop_night (
  shop_id bigint primary key references shop,
  -- in the time zone that the shop had then
  day date not null
);

-- A draft shows the current product unless the caller sent its own words. The lines of before keep the words they have,
-- as do those that the release before writes while it still runs.
alter table purchase_order_line
  add column is_own_sku boolean not null default true,
  add column is_own_title boolean not null default true,
  -- null until the order is sent
  add column barcode text;

-- The texts in which the lists of suppliers and orders search, each as its statement writes it.
create index supplier_search on supplier using gin (shop_id, lower(name) gin_trgm_ops);
create index purchase_order_search on purchase_order
  using gin (shop_id, lower(po_number || ' ' || notes || ' ' || supplier_notes) gin_trgm_ops);
create index purchase_order_line_search on purchase_order_line using gin (shop_id, lower(sku) gin_trgm_ops);
