-- Stock is listed by SKU, product and available pieces; files of stock are imported and can be reverted.

-- The orders of `GET /stock-levels?sort=`. Cut, since a row of an index has a limit.
create index variant_sku on variant (shop_id, "left"(lower(sku), 100), id);
create index product_title on product (shop_id, "left"(lower(title), 100), id);
create index stock_level_quantity on stock_level (shop_id, quantity, variant_id, location_id);

-- A file that set or adjusted levels, with what it changed: a revert adds the opposite.
create table stock_import (
  shop_id bigint not null references shop,
  id bigint not null generated always as identity,
  basis text not null check (basis in ('available', 'on_hand', 'adjust')),
  row_count int not null,
  changed_count int not null,
  added bigint not null,
  removed bigint not null,
  variant_ids bigint[] not null,
  location_ids bigint[] not null,
  deltas bigint[] not null,
  created_by text not null,
  created_at timestamptz not null,
  reverted_by text not null default '',
  reverted_at timestamptz,
  primary key (shop_id, id)
);
