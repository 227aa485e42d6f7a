-- What each supplier sells to the shop, how and for how much; orders in its currency, their revisions, and mails that the merchant edits.

-- For the exclusion constraint of supplier_price.
create extension if not exists btree_gist;

alter table supplier
  add column version int not null default 1,
  -- the shop's number at this supplier
  add column account_number text not null default '',
  -- ISO 4217; null: the shop's
  add column currency text check (currency ~ '^[A-Z]{3}$'),
  add column address_line1 text not null default '',
  add column address_line2 text not null default '',
  add column city text not null default '',
  add column region text not null default '',
  add column postal_code text not null default '',
  add column country_code text check (country_code ~ '^[A-Z]{2}$'),
  add column tax_id text not null default '',
  -- the supplier accepts no smaller order; in its currency, and in pieces
  add column minimum_order_value numeric(14, 2) check (minimum_order_value >= 0),
  add column minimum_order_quantity int check (minimum_order_quantity > 0),
  -- from this value on the supplier pays the freight; in its currency
  add column free_freight_value numeric(14, 2) check (free_freight_value >= 0),
  add column order_cycle_days int check (order_cycle_days between 1 and 365),
  -- percent; the tax rate of a new line
  add column default_tax_rate numeric(6, 3) check (default_tax_rate between 0 and 100),
  -- of the order's PDF and mail; null: the shop's
  add column language text,
  -- the supplier's id in another system
  add column external_ref text not null default '';

-- The names by which the platform's products call a supplier.
create table supplier_alias (
  shop_id bigint not null,
  id bigint not null generated always as identity,
  supplier_id bigint not null,
  vendor_name text not null check (vendor_name <> ''),
  primary key (shop_id, id),
  foreign key (shop_id, supplier_id) references supplier (shop_id, id) on delete cascade
);

create unique index supplier_alias_vendor on supplier_alias (shop_id, lower(vendor_name));
create index on supplier_alias (shop_id, supplier_id);

-- How a supplier sells a variant. Two packagings of one variant are two rows with different supplier SKUs.
create table supplier_product (
  shop_id bigint not null,
  id bigint not null generated always as identity,
  supplier_id bigint not null,
  variant_id bigint not null,
  supplier_sku text not null default '',
  supplier_title text not null default '',
  -- pieces in a pack
  pack_size int not null default 1 check (pack_size between 1 and 1000000),
  -- pieces; null: none
  minimum_quantity int check (minimum_quantity between 1 and 1000000000),
  -- pieces
  quantity_multiple int not null default 1 check (quantity_multiple between 1 and 1000000),
  -- null: the supplier's
  lead_time_days int check (lead_time_days between 0 and 730),
  -- 1: preferred among the suppliers of the variant
  rank smallint not null default 1 check (rank between 1 and 99),
  is_active boolean not null default true,
  pack_barcode text not null default '',
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (shop_id, id),
  constraint supplier_product_is_unique unique (shop_id, supplier_id, variant_id, supplier_sku),
  foreign key (shop_id, supplier_id) references supplier (shop_id, id) on delete cascade,
  foreign key (shop_id, variant_id) references variant (shop_id, id)
);

create index supplier_product_list on supplier_product (shop_id, supplier_id, id);
create index supplier_product_of_variant on supplier_product (shop_id, variant_id, rank, id);

create table supplier_price (
  shop_id bigint not null,
  id bigint not null generated always as identity,
  supplier_product_id bigint not null,
  -- pieces of one line from which the price holds
  min_quantity int not null default 1 check (min_quantity between 1 and 1000000000),
  -- of one piece
  price numeric(19, 4) not null check (price >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- days in the shop's time zone, both included; null: without a limit
  valid_from date,
  valid_to date,
  source text not null check (source in ('typed', 'import', 'order', 'receipt')),
  created_at timestamptz not null default now(),
  primary key (shop_id, id),
  foreign key (shop_id, supplier_product_id) references supplier_product (shop_id, id) on delete cascade,
  constraint supplier_price_period_check check (valid_from <= valid_to),
  constraint supplier_price_is_unique exclude using gist (
    shop_id with =, supplier_product_id with =, min_quantity with =, currency with =,
    daterange(valid_from, valid_to, '[]') with &&
  )
);

-- Postgres rewrites both tables of orders for the stored columns: about 2 s per million lines, under a lock.
alter table purchase_order_line
  drop column line_total,
  add column supplier_sku text not null default '',
  add column pack_size int not null default 1 check (pack_size between 1 and 1000000),
  add column discount_percent numeric(6, 3) not null default 0 check (discount_percent between 0 and 100),
  -- percent
  add column tax_rate numeric(6, 3) not null default 0 check (tax_rate between 0 and 100),
  -- decimals of the order's currency: 0 for JPY, 3 for KWD
  add column minor_digits smallint not null default 2 check (minor_digits between 0 and 3);
alter table purchase_order_line
  add column line_total numeric(24, 3) not null
    generated always as (round(quantity * cost_price * (1 - discount_percent / 100), minor_digits)) stored;

alter table purchase_order
  drop constraint purchase_order_total_is_exact,
  drop column total;
alter table purchase_order
  alter column subtotal type numeric(24, 3),
  alter column tax type numeric(24, 3),
  -- ISO 4217; null: the shop's
  add column currency text check (currency ~ '^[A-Z]{3}$'),
  -- 1 of the order's currency in the shop's; null: not known
  add column rate numeric(18, 8) check (rate > 0),
  -- of the whole order, in its currency
  add column discount numeric(24, 3) not null default 0,
  -- whether the request gave the tax; else it is the sum of the lines' taxes
  add column is_own_tax boolean not null default true,
  -- the merchant's and the supplier's reference for this order
  add column reference text not null default '',
  add column supplier_reference text not null default '',
  add column cc text[] not null default '{}',
  -- changes since the order was sent
  add column revision int not null default 0,
  add constraint purchase_order_discount_check check (discount between 0 and subtotal);
alter table purchase_order
  add column total numeric(24, 3) not null generated always as (subtotal - discount + tax) stored,
  add constraint purchase_order_total_is_exact check (subtotal - discount + tax < 10000000000000);

-- What each revision of a sent order changed.
create table purchase_order_revision (
  shop_id bigint not null,
  purchase_order_id bigint not null,
  revision int not null,
  changes jsonb not null,
  reason text not null default '',
  created_by text not null,
  created_at timestamptz not null default now(),
  primary key (shop_id, purchase_order_id, revision),
  foreign key (shop_id, purchase_order_id) references purchase_order (shop_id, id) on delete cascade
);

alter table outgoing_mail
  add column kind text not null default 'purchase_order' check (kind in ('purchase_order', 'revision')),
  -- null: `recipient` alone
  add column recipients text[],
  add column cc text[] not null default '{}',
  -- null: the words of the language
  add column subject text,
  add column body text,
  add column attach_csv boolean not null default false;

-- The shop's own words of a mail, with placeholders.
create table mail_template (
  shop_id bigint not null,
  kind text not null check (kind in ('purchase_order', 'revision')),
  subject text not null,
  body text not null,
  version int not null default 1,
  updated_at timestamptz not null default now(),
  primary key (shop_id, kind),
  foreign key (shop_id) references shop (id)
);
