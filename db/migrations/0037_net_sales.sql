-- Sales are net of what was cancelled before it was shipped, with the revenue of their order lines. A shop knows since
-- when its sales are known, and a variant since when it can have sold.

-- `quantity` stays what was ordered; units sold are `quantity - cancelled`
alter table sale
  add column cancelled int not null default 0,
  add column returned int not null default 0,
  -- of the units sold, after discounts, in the shop's currency; null: recorded by an earlier release
  add column revenue numeric(24, 2);

-- The newest state of an order that was applied. A deleted order keeps its row, so that late webhooks change nothing.
create table sale_order (
  shop_id bigint not null references shop,
  order_gid text not null,
  updated_at timestamptz not null,
  -- units that were ordered, cancelled or returned: of two states with the same instant, the one with more is newer
  changes bigint not null default 0,
  -- of two states with the same instant and the same units, the one that earns less is newer
  revenue numeric(24, 2) not null default 0,
  deleted_at timestamptz,
  primary key (shop_id, order_gid)
);

-- for the removal of old orders
create index on sale_order (shop_id, updated_at);

-- Since when the sales of a shop are known, and how far its orders have been read.
create table sales_reading (
  shop_id bigint primary key references shop,
  known_since timestamptz not null,
  -- all changes of orders up to here were read; null before the first reading has ended
  read_until timestamptz,
  -- the reading that is under way; null between readings
  started_at timestamptz,
  cursor text,
  order_count int not null default 0
);

-- when the platform created the variant; null: not read yet
alter table variant add column platform_created_at timestamptz;

alter table variant_velocity
  add column returned_7d bigint not null default 0,
  add column returned_30d bigint not null default 0,
  add column returned_90d bigint not null default 0,
  -- the day of the first stock above zero or the first sale, in the shop's time zone; null: before all known sales
  add column first_day date;

-- the sale is not of today, so that ABC classes and reorder points change, too
alter table velocity_mark add column is_past boolean not null default false;

-- The nightly computation reads only the sales of 90 days, by an index-only scan.
drop index sale_shop_id_ordered_at_variant_gid_quantity_idx;
create index sale_ordered_at on sale (shop_id, ordered_at) include (variant_gid, quantity, cancelled, returned, revenue);
drop index sale_shop_id_variant_gid_ordered_at_quantity_idx;
create index sale_variant on sale (shop_id, variant_gid, ordered_at) include (quantity, cancelled);
