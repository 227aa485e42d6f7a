-- Imports of products of suppliers, reorder rules, adjustments and receipts without an order.

alter table import drop constraint import_kind_check;
alter table import add constraint import_kind_check check (
  kind in (
    'suppliers', 'supplier_products', 'purchase_orders', 'receipts', 'costs', 'stock_counts', 'adjustments',
    'reorder_rules', 'archive'
  )
) not valid;
alter table import validate constraint import_kind_check;

alter table import_target drop constraint import_target_target_check;
alter table import_target add constraint import_target_target_check check (
  target in (
    'supplier', 'supplier_product', 'purchase_order', 'purchase_order_line', 'stock_count', 'cost', 'receipt',
    'past_adjustment', 'reorder_rule'
  )
) not valid;
alter table import_target validate constraint import_target_target_check;

-- What another system corrected before the shop moved in: history, since what remained is in the stock that was read.
create table past_adjustment (
  shop_id bigint not null references shop (id),
  id bigint not null generated always as identity,
  import_id bigint not null,
  variant_id bigint not null,
  location_id bigint,
  adjusted_at timestamptz not null,
  quantity int not null,
  -- null: the file did not say them
  previous_quantity int,
  new_quantity int,
  reason text not null default '',
  notes text not null default '',
  -- of the row's content, so that the same file again adds nothing
  fingerprint bytea not null,
  primary key (shop_id, id),
  foreign key (shop_id, variant_id) references variant (shop_id, id),
  foreign key (shop_id, location_id) references location (shop_id, id),
  unique (shop_id, fingerprint)
);

create index past_adjustment_newest on past_adjustment (shop_id, adjusted_at desc, id desc);
create index past_adjustment_of_variant on past_adjustment (shop_id, variant_id, adjusted_at desc, id desc);

-- The last received orders of a supplier, since an import adds old orders with new ids.
create index purchase_order_of_supplier_received on purchase_order (shop_id, supplier_id, received_at desc nulls last, id desc);
