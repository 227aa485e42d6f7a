-- What the stock is worth, day by day.

alter table variant
  -- what was paid for it last, on a receipt; null: not known yet
  add column unit_cost numeric(19, 4);

-- What was spent, by when the orders were sent.
create index on purchase_order (shop_id, sent_at) where sent_at is not null;

create table inventory_value_day (
  shop_id bigint not null references shop,
  -- a day of the shop's time zone
  day date not null,
  location_id bigint not null,
  quantity bigint not null,
  value numeric(24, 2) not null,
  -- pieces whose cost nobody knows: they are not in the value
  uncosted_quantity bigint not null,
  computed_at timestamptz not null default now(),
  primary key (shop_id, day, location_id),
  foreign key (shop_id, location_id) references location (shop_id, id)
);
