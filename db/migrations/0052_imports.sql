-- Imports: files of other systems, what their rows became, and orders of the past.

create table import (
  shop_id bigint not null references shop (id),
  id bigint not null generated always as identity,
  -- null: the worker has not guessed it yet; archive: the sheets have kinds of their own
  kind text check (kind in ('suppliers', 'purchase_orders', 'costs', 'stock_counts', 'archive')),
  state text not null default 'uploading' check (
    state in ('uploading', 'reading', 'ready', 'checking', 'running', 'done', 'failed', 'reverting', 'reverted')
  ),
  file_name text not null,
  -- of the whole file, in hexadecimal
  file_sha256 text,
  -- what was read: names, columns with samples, delimiter, encoding, and the mapping of columns to fields
  sheets jsonb not null default '[]',
  defaults jsonb not null default '{}',
  -- null: not rehearsed since the last change
  summary jsonb,
  progress numeric(4, 3) not null default 0 check (progress between 0 and 1),
  error text not null default '',
  created_by text not null,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  reverted_at timestamptz,
  primary key (shop_id, id)
);

-- Parts of at most 512 kB, removed after 30 days.
create table import_file (
  shop_id bigint not null,
  import_id bigint not null,
  part int not null check (part >= 0),
  bytes bytea not null check (length(bytes) <= 524288),
  created_at timestamptz not null default now(),
  primary key (shop_id, import_id, part),
  foreign key (shop_id, import_id) references import (shop_id, id) on delete cascade
);

create index on import_file (created_at);

-- The rows of the sheets, and the outcome of the last rehearsal or run.
create table import_row (
  shop_id bigint not null,
  import_id bigint not null,
  position int not null,
  sheet int not null,
  row int not null,
  -- the cells, in the order of the sheet's columns
  raw jsonb not null,
  state text not null default 'pending' check (
    state in ('pending', 'new', 'same', 'changed', 'skipped', 'fault', 'kept', 'reverted')
  ),
  message text not null default '',
  target text,
  target_id bigint,
  primary key (shop_id, import_id, position),
  foreign key (shop_id, import_id) references import (shop_id, id) on delete cascade
);

create index import_row_state on import_row (shop_id, import_id, state, position);

-- What a run made or filled in, so that the merchant can take it back.
create table import_target (
  shop_id bigint not null,
  import_id bigint not null,
  target text not null check (
    target in ('supplier', 'supplier_product', 'purchase_order', 'purchase_order_line', 'stock_count', 'cost')
  ),
  target_id bigint not null,
  -- the order of which a line was added
  parent_id bigint,
  version int,
  -- what was stored before
  before jsonb,
  primary key (shop_id, import_id, target, target_id),
  foreign key (shop_id, import_id) references import (shop_id, id) on delete cascade
);

create index on import_target (shop_id, target, target_id);

alter table purchase_order
  add column invoice_number text not null default '',
  add column invoice_date date,
  add column payment_due_on date,
  add column paid_at timestamptz,
  add column ordered_at timestamptz,
  add column is_imported boolean not null default false,
  -- the order's number in the system that it came from
  add column source_number text not null default '',
  -- false: nothing says when the goods of an imported order came, so no lead time follows from it
  add column is_arrival_known boolean not null default true;

create index purchase_order_source on purchase_order using gin (shop_id, lower(source_number) gin_trgm_ops)
  where source_number <> '';
create index purchase_order_imported on purchase_order (shop_id, lower(source_number)) where is_imported;

-- An imported receipt says what had arrived before the shop moved in: it moved no stock.
alter table receipt add column is_imported boolean not null default false;

alter table stock_count add column is_imported boolean not null default false;

-- A file often names products by barcode, SKU or external reference.
create index supplier_external_ref on supplier (shop_id, lower(external_ref)) where external_ref <> '';
