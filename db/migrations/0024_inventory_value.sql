-- The value of the stock per day.

alter table variant
  -- the unit cost of the last receipt; null: unknown
  add column unit_cost numeric(19, 4);

-- For the procurement spend report, which selects orders by the time of sending.
create index on purchase_order (shop_id, sent_at) where sent_at is not null;

create table inventory_value_day (
  shop_id bigint not null references shop,
  -- a day in the shop's time zone
  day date not null,
  location_id bigint not null,
  quantity bigint not null,
  value numeric(24, 2) not null,
  -- pieces of unknown cost, which the value excludes
  uncosted_quantity bigint not null,
  computed_at timestamptz not null default now(),
  primary key (shop_id, day, location_id),
  foreign key (shop_id, location_id) references location (shop_id, id)
);
