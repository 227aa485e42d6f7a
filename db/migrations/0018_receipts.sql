-- Receipts: documents of goods that arrived. A receipt cannot be edited, only reversed.

alter table purchase_order
  -- the destination of the goods; null: the shop's primary location
  add column destination_location_id bigint,
  add constraint purchase_order_destination_fkey
    foreign key (shop_id, destination_location_id) references location (shop_id, id) not valid;

alter table purchase_order validate constraint purchase_order_destination_fkey;

create table receipt (
  shop_id bigint not null references shop,
  id bigint generated always as identity,
  purchase_order_id bigint not null,
  location_id bigint not null,
  notes text not null default '',
  -- a hash of lines and location: the same value again within seconds is a double click
  fingerprint bytea not null,
  -- the order's status in the response
  status_after text not null check (status_after in ('partial', 'received')),
  created_by text not null,
  created_at timestamptz not null default now(),
  reversed_by text,
  reversed_at timestamptz,
  primary key (shop_id, id),
  foreign key (shop_id, purchase_order_id) references purchase_order (shop_id, id),
  foreign key (shop_id, location_id) references location (shop_id, id)
);

create index on receipt (shop_id, purchase_order_id, id desc);

create table receipt_line (
  shop_id bigint not null,
  receipt_id bigint not null,
  purchase_order_line_id bigint not null,
  quantity int not null check (quantity > 0),
  -- false: the platform does not track this variant, so the receipt moved no stock
  is_stocked boolean not null,
  primary key (shop_id, receipt_id, purchase_order_line_id),
  foreign key (shop_id, receipt_id) references receipt (shop_id, id),
  foreign key (shop_id, purchase_order_line_id) references purchase_order_line (shop_id, id)
);

create index on receipt_line (shop_id, purchase_order_line_id);
