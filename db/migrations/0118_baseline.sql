-- The schema of release 0.1.1 after its migrations 1 to 118, without the SQL functions of the rooms. Unit costs have 4 decimals. Each
-- table of a shop has the shop in its keys, so that the database refuses a reference across shops.

-- searches of parts of words, and keys that mix numbers with them
create extension if not exists pg_trgm;
create extension if not exists btree_gin;
create extension if not exists btree_gist;

-- A2 before A10, and capitals beside small letters. Equal texts of two spellings stay two texts.
create collation bin_order (provider = icu, locale = 'und-u-kn-true');

-- Some scanners add leading zeros to a barcode, or leave them out. Codes are compared in one form, which the admin has, too
-- (`web/src/components/scan/codes.ts`): 8 to 14 digits without leading zeros, other codes in lower case.
-- Two indexes use it, so it belongs to them and not to a room: with another text they would hold the values of this one.
create function scan_code(code text) returns text
language sql
immutable parallel safe
as $$
  select case
    when code ~ '^[0-9]{8,14}$' then coalesce(nullif(ltrim(code, '0'), ''), '0')
    else lower(code)
  end
$$;

-- A shop is a merchant's store that has installed the app. Columns that change often are in separate tables, so that `shop` stays small and
-- can be a reference table on every node when the other tables are distributed by shop_id.
create table shop (
  id bigint generated always as identity,
  domain text not null check (domain = lower(domain) and domain <> ''),
  installed_at timestamptz not null default now(),
  uninstalled_at timestamptz,
  primary key (id)
);
create unique index shop_installed_domain on shop (domain) where uninstalled_at is null;

-- The platform's access token, sealed by shared/token-cipher.ts. No row: the app is not installed.
create table shop_credential (
  shop_id bigint,
  access_token text not null check (access_token ~~ 'v1:%'),
  updated_at timestamptz not null default now(),
  scopes text not null default '',
  -- null for a token that does not expire
  expires_at timestamptz,
  refresh_token text check (refresh_token ~~ 'v1:%'),
  -- the lock of the process that fetches a new token; other processes wait
  refreshing_until timestamptz,
  -- the platform has refused the token; it is not used again
  revoked_at timestamptz,
  primary key (shop_id),
  foreign key (shop_id) references shop (id)
);

-- The company details on purchase orders, and the formats of money and dates.
create table shop_setting (
  shop_id bigint,
  company_name text not null default '',
  address text not null default '',
  phone text not null default '',
  email text not null default '',
  currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  time_zone text not null default 'UTC' check (time_zone <> ''),
  locale text check (locale <> ''),
  updated_at timestamptz not null default now(),
  told jsonb not null default '{}',
  cost_write_back text not null default 'off' check (cost_write_back in ('off', 'last', 'average')),
  over_receipt_percent int not null default 0 check (over_receipt_percent >= 0 and over_receipt_percent <= 100),
  label_format jsonb not null default '{}',
  -- a count whose absolute variance is worth more needs an approval; null: none does
  count_approval_value numeric(15,3) check (count_approval_value >= 0),
  -- null: the default list
  adjustment_reasons text[],
  adjustment_reason_required boolean not null default false,
  is_setup_hidden boolean not null default false,
  -- such as a VAT number
  tax_id text,
  -- the name that orders have as "ordered by"
  ordered_by text,
  -- null: that of the shop's country
  paper text check (paper in ('a4', 'letter')),
  -- gets a copy of each e-mail to a supplier
  mail_copy_to text,
  primary key (shop_id),
  foreign key (shop_id) references shop (id)
);

-- Copies of the shop's products. The platform owns the products.
create table product (
  shop_id bigint,
  id bigint generated always as identity,
  gid text not null,
  title text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- when the platform last changed it; older updates are dropped
  source_updated_at timestamptz,
  deleted_at timestamptz,
  -- the status on the platform: active, draft, archived; empty while the product is known only from order lines
  status text not null default '',
  -- null while the platform has not reported them
  vendor text,
  product_type text,
  tags text[],
  picture text,
  primary key (shop_id, id),
  constraint product_shop_id_gid_key unique (shop_id, gid),
  foreign key (shop_id) references shop (id)
);
-- The products that the dashboard counts: reported by the platform and not deleted. A repeated update of a product changes none of the
-- index's columns, so that it does not make catalogue writes slower.
create index product_shown on product (shop_id) where deleted_at is null and status <> '';
create index product_tags on product using gin (shop_id, tags);
create index product_title on product (shop_id, "left"(lower(title), 100), id);
create index product_type on product (shop_id, product_type);
-- For the filters of lists and reports.
create index product_vendor on product (shop_id, vendor);

-- Variants of products. `tracking_changed_at`: the inventory value of a day before counts the variant as it was tracked then.
create table variant (
  shop_id bigint,
  id bigint generated always as identity,
  gid text not null,
  product_id bigint not null,
  sku text not null default '',
  title text not null default '',
  -- null while the variant is known only from an order line; `title` is then the full title from that line
  confirmed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  barcode text not null default '',
  price numeric(19,4),
  inventory_item_gid text,
  -- false: the platform does not track its stock, so alerts and suggestions exclude it
  is_tracked boolean not null default true,
  deleted_at timestamptz,
  -- product title, title, SKU and barcode in lower case, for substring search
  search_text text not null default '',
  -- of one piece; null: unknown
  unit_cost numeric(19,4),
  platform_created_at timestamptz,
  -- the origin of `unit_cost`, and its time; null while the cost is unknown
  cost_source text,
  cost_at timestamptz,
  -- the platform's last cost: a report that repeats it is no new cost, although another field of the item has changed
  platform_cost numeric(19,4),
  -- when the platform last changed the inventory item, which has the cost and whether stock is tracked
  item_updated_at timestamptz,
  -- of one piece, as the platform reports it
  weight_grams numeric(14,3),
  -- the last costs that the app sent, newest first, with the time of the newest: a report that repeats one soon after is an echo
  pushed_costs numeric(19,4)[],
  pushed_at timestamptz,
  tracking_changed_at timestamptz,
  primary key (shop_id, id),
  constraint variant_shop_id_gid_key unique (shop_id, gid),
  foreign key (shop_id, product_id) references product (shop_id, id)
);
-- A barcode found a product by reading all variants of the shop. The platform limits no barcode, and an index row has 2 704 bytes.
create index variant_barcode on variant (shop_id, "left"(scan_code(barcode), 100)) where barcode <> '';
create index variant_search on variant using gin (shop_id, search_text gin_trgm_ops);
create index variant_shop_id_inventory_item_gid_idx on variant (shop_id, inventory_item_gid);
create index variant_shop_id_product_id_idx on variant (shop_id, product_id);
-- The orders of `GET /stock-levels?sort=`. Cut, since a row of an index has a limit.
create index variant_sku on variant (shop_id, "left"(lower(sku), 100), id);
create index variant_uncounted on variant (shop_id, id) where deleted_at is not null or (not is_tracked);

-- Suppliers. An empty string means "not given".
create table supplier (
  shop_id bigint,
  id bigint generated always as identity,
  name text not null check (name <> ''),
  email text not null default '',
  phone text not null default '',
  address text not null default '',
  lead_time_days int check (lead_time_days >= 0),
  payment_terms text not null default '',
  notes text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- a supplier with orders is archived instead of deleted
  archived_at timestamptz,
  version int not null default 1,
  -- the shop's number at this supplier
  account_number text not null default '',
  -- ISO 4217; null: the shop's
  currency text check (currency ~ '^[A-Z]{3}$'),
  address_line1 text not null default '',
  address_line2 text not null default '',
  city text not null default '',
  region text not null default '',
  postal_code text not null default '',
  country_code text check (country_code ~ '^[A-Z]{2}$'),
  tax_id text not null default '',
  -- the supplier accepts no smaller order; in its currency, and in pieces
  minimum_order_value numeric(14,2) check (minimum_order_value >= 0),
  minimum_order_quantity int check (minimum_order_quantity > 0),
  -- from this value on the supplier pays the freight; in its currency
  free_freight_value numeric(14,2) check (free_freight_value >= 0),
  order_cycle_days int check (order_cycle_days >= 1 and order_cycle_days <= 365),
  -- percent; the tax rate of a new line
  default_tax_rate numeric(6,3) check (default_tax_rate >= 0 and default_tax_rate <= 100),
  -- of the order's PDF and mail; null: the shop's
  language text,
  -- the supplier's id in another system
  external_ref text not null default '',
  primary key (shop_id, id),
  foreign key (shop_id) references shop (id)
);
-- A file often names products by barcode, SKU or external reference.
create index supplier_external_ref on supplier (shop_id, lower(external_ref)) where external_ref <> '';
create index supplier_list on supplier (shop_id, id desc) where archived_at is null;
create index supplier_name on supplier (shop_id, lower(name), id);
-- The texts in which the lists of suppliers and orders search, each as its statement writes it.
create index supplier_search on supplier using gin (shop_id, lower(name) gin_trgm_ops);

-- The people to call at a supplier.
create table supplier_contact (
  shop_id bigint,
  id bigint generated always as identity,
  supplier_id bigint not null,
  name text not null check (name <> ''),
  email text not null default '',
  phone text not null default '',
  role text not null default '',
  version int not null default 1,
  primary key (shop_id, id),
  foreign key (shop_id, supplier_id) references supplier (shop_id, id) on delete cascade
);
create index supplier_contact_shop_id_supplier_id_idx on supplier_contact (shop_id, supplier_id);

-- The last order number. The transaction that creates an order increments it, so numbers have no gaps.
create table purchase_order_counter (
  shop_id bigint,
  last_number int not null,
  primary key (shop_id),
  foreign key (shop_id) references shop (id)
);

-- The running worker processes. A row with an old last_seen_at is a dead worker, whose jobs are freed.
create table worker_instance (
  id uuid,
  -- the values of `locked_by` in jobs that this process has locked
  pool_ids text[] not null,
  started_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  -- a suspect job that runs alone in this process; all others wait
  alone_job_id bigint,
  -- the process ended for a reason outside its jobs: they are freed without a crash count
  has_ended boolean not null default false,
  primary key (id)
);

-- The OAuth state of an unfinished installation. Valid once, for ten minutes. Only its hash is stored.
create table oauth_state (
  state_hash bytea,
  shop_domain text not null,
  created_at timestamptz not null default now(),
  primary key (state_hash)
);
create index oauth_state_created_at_idx on oauth_state (created_at);

-- The last check of the shop's webhook subscriptions, whether all of them existed, and their topics and fields as a digest: a release that
-- subscribes to others repairs the subscriptions soon.
create table webhook_subscription_check (
  shop_id bigint,
  -- null: never checked
  checked_at timestamptz,
  is_complete boolean not null default false,
  -- when the check was last requested, so that a busy shop does not request it with every API call
  requested_at timestamptz,
  subscriptions text not null default '',
  primary key (shop_id),
  foreign key (shop_id) references shop (id)
);

-- The shop's locations. `is_primary`: goods of orders without a destination arrive here; the merchant's choice while that location is
-- active, else the platform's primary location.
create table location (
  shop_id bigint,
  id bigint generated always as identity,
  gid text not null,
  name text not null,
  is_active boolean not null default true,
  is_primary boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- the primary location if the merchant has made no choice
  is_platform_primary boolean not null default false,
  is_chosen boolean not null default false,
  -- as the platform reports them; '' where it has none, or until a catalogue sync has read them
  address1 text not null default '',
  address2 text not null default '',
  city text not null default '',
  province text not null default '',
  zip text not null default '',
  country text not null default '',
  country_code text not null default '',
  phone text not null default '',
  source_updated_at timestamptz,
  primary key (shop_id, id),
  constraint location_shop_id_gid_key unique (shop_id, gid),
  foreign key (shop_id) references shop (id)
);
create unique index location_chosen on location (shop_id) where is_chosen;
create unique index location_primary on location (shop_id) where is_primary;

-- Orders to suppliers. Unit costs have 4 decimals, totals those of the currency. All sums are computed in SQL as numeric, never as floats.
-- `updated_at` changes with the invoice, too.
create table purchase_order (
  shop_id bigint,
  id bigint generated always as identity,
  number int not null,
  po_number text not null generated always as ('PO-' || lpad((number)::text, greatest(5, length((number)::text)), '0'::text)) stored,
  supplier_id bigint not null,
  status text not null default 'draft' check (status in ('draft', 'sent', 'partial', 'received', 'cancelled')),
  notes text not null default '',
  supplier_notes text not null default '',
  line_item_count int not null default 0,
  subtotal numeric(24,3) not null default 0,
  tax numeric(24,3) not null default 0 check (tax >= 0),
  expected_at timestamptz,
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  sent_at timestamptz,
  received_at timestamptz,
  -- counts the changes, so that an update can detect a concurrent change
  version int not null default 1,
  -- the destination of the goods; null: the shop's primary location
  destination_location_id bigint,
  -- ISO 4217; null: the shop's
  currency text check (currency ~ '^[A-Z]{3}$'),
  -- 1 of the order's currency in the shop's; null: not known
  rate numeric(18,8) check (rate > 0),
  -- of the whole order, in its currency
  discount numeric(24,3) not null default 0,
  -- whether the request gave the tax; else it is the sum of the lines' taxes
  is_own_tax boolean not null default true,
  -- the merchant's and the supplier's reference for this order
  reference text not null default '',
  supplier_reference text not null default '',
  cc text[] not null default '{}',
  -- changes since the order was sent
  revision int not null default 0,
  total numeric(24,3) not null generated always as ((subtotal - discount) + tax) stored,
  invoice_number text not null default '',
  invoice_date date,
  payment_due_on date,
  paid_at timestamptz,
  ordered_at timestamptz,
  is_imported boolean not null default false,
  -- the order's number in the system that it came from
  source_number text not null default '',
  -- false: nothing says when the goods of an imported order came, so no lead time follows from it
  is_arrival_known boolean not null default true,
  closed_at timestamptz,
  closed_by text,
  due_at timestamptz,
  cancelled_at timestamptz,
  cancelled_by text,
  primary key (shop_id, id),
  constraint purchase_order_shop_id_number_key unique (shop_id, number),
  constraint purchase_order_destination_fkey foreign key (shop_id, destination_location_id) references location (shop_id, id),
  foreign key (shop_id) references shop (id),
  foreign key (shop_id, supplier_id) references supplier (shop_id, id),
  constraint purchase_order_discount_check check (discount >= 0 and discount <= subtotal),
  constraint purchase_order_total_is_exact check (((subtotal - discount) + tax) < ('10000000000000'::bigint)::numeric)
);
create index purchase_order_destination on purchase_order (shop_id, destination_location_id, id desc) where destination_location_id is not null;
-- orders without a due date are last in both directions
create index purchase_order_due on purchase_order (shop_id, coalesce(due_at, 'infinity'::timestamptz), id);
create index purchase_order_due_last on purchase_order (shop_id, coalesce(due_at, '-infinity'::timestamptz), id);
create index purchase_order_due_open on purchase_order (shop_id, coalesce(due_at, 'infinity'::timestamptz), id) where status in ('sent', 'partial');
create index purchase_order_imported on purchase_order (shop_id, lower(source_number)) where is_imported;
-- The last received orders of a supplier, since an import adds old orders with new ids.
create index purchase_order_of_supplier_received on purchase_order (shop_id, supplier_id, received_at desc nulls last, id desc);
create index purchase_order_paid on purchase_order (shop_id, id desc) where paid_at is not null;
-- for the overdue ones: imported orders may have an invoice and no day of payment
create index purchase_order_payment_due on purchase_order (shop_id, id desc) where paid_at is null and payment_due_on is not null;
-- The last rate of a currency. Most orders are in the shop's currency and have no rate.
create index purchase_order_rate on purchase_order (shop_id, currency, id) where rate is not null;
create index purchase_order_search on purchase_order using gin (shop_id, lower(((((po_number || ' ') || notes) || ' ') || supplier_notes)) gin_trgm_ops);
-- For the procurement spend report, which selects orders by the time of sending.
create index purchase_order_shop_id_sent_at_idx on purchase_order (shop_id, sent_at) where sent_at is not null;
create index purchase_order_shop_id_status_id_idx on purchase_order (shop_id, status, id desc);
create index purchase_order_shop_id_supplier_id_id_idx on purchase_order (shop_id, supplier_id, id desc);
create index purchase_order_source on purchase_order using gin (shop_id, lower(source_number) gin_trgm_ops) where source_number <> '';
-- totals compare in the shop's currency
create index purchase_order_total on purchase_order (shop_id, ((total * coalesce(rate, 1))), id);
-- The list of orders is filtered by payment. A page reads its own orders in the index of its filter, and not those of the whole shop. An
-- order without invoice number, invoice date, day of payment and payment is in none of the three.
create index purchase_order_unpaid on purchase_order (shop_id, id desc)
  where paid_at is null and (invoice_number <> '' or invoice_date is not null or payment_due_on is not null);

-- Lines of orders. A draft shows the current product unless the line has its own words (is_own_sku, is_own_title). `cost_price` is 0 in a
-- line without a known cost. A line keeps its weight from the first receipt with a charge by weight on. A line gets new versions when the
-- order is sent and received: on a page with room for them, Postgres adds no entries to the indexes.
create table purchase_order_line (
  shop_id bigint,
  id bigint generated always as identity,
  purchase_order_id bigint not null,
  position int not null,
  variant_id bigint not null,
  sku text not null,
  title text not null,
  quantity int not null check (quantity >= 0),
  accepted int not null default 0 check (accepted >= 0),
  cancelled int not null default 0 check (cancelled >= 0),
  cost_price numeric(19,4) not null check (cost_price >= 0),
  is_own_sku boolean not null default true,
  is_own_title boolean not null default true,
  -- null until the order is sent
  barcode text,
  supplier_sku text not null default '',
  pack_size int not null default 1 check (pack_size >= 1 and pack_size <= 1000000),
  discount_percent numeric(6,3) not null default 0 check (discount_percent >= 0 and discount_percent <= 100),
  -- percent
  tax_rate numeric(6,3) not null default 0 check (tax_rate >= 0 and tax_rate <= 100),
  -- decimals of the order's currency: 0 for JPY, 3 for KWD
  minor_digits smallint not null default 2 check (minor_digits >= 0 and minor_digits <= 3),
  line_total numeric(24,3) not null generated always as (round((((quantity)::numeric * cost_price) * (1 - (discount_percent / 100))), (minor_digits)::int)) stored,
  rounded_up_by int not null default 0 check (rounded_up_by >= 0),
  credited int not null default 0 check (credited >= 0),
  is_cost_known boolean not null default true,
  weight_grams numeric(14,3),
  primary key (shop_id, id),
  foreign key (shop_id, purchase_order_id) references purchase_order (shop_id, id) on delete cascade,
  foreign key (shop_id, variant_id) references variant (shop_id, id),
  constraint purchase_order_line_no_cost_check check (is_cost_known or cost_price = 0)
) with (fillfactor = 50);
create index purchase_order_line_cancelled on purchase_order_line (shop_id, purchase_order_id) where cancelled > credited;
-- With the id, the newest line of a variant is the first that Postgres reads. It also does what the index without it did.
create index purchase_order_line_of_variant on purchase_order_line (shop_id, variant_id, id);
create index purchase_order_line_search on purchase_order_line using gin (shop_id, lower(sku) gin_trgm_ops);
create index purchase_order_line_shop_id_purchase_order_id_position_idx on purchase_order_line (shop_id, purchase_order_id, "position");
-- lines without a cost, and lines with pieces that will not come, by order
create index purchase_order_line_unknown_cost on purchase_order_line (shop_id, purchase_order_id) where not is_cost_known;

-- Stock levels and the ledger of their movements. `shared/domain/ledgers/stock/move.ts` is the only writer.
create table stock_level (
  shop_id bigint,
  variant_id bigint,
  location_id bigint,
  -- the level that the service shows
  quantity int not null default 0,
  -- the level that the platform last reported; the difference is in unconfirmed pushes
  platform_quantity int not null default 0,
  platform_updated_at timestamptz,
  updated_at timestamptz not null default now(),
  -- the newest platform update that arrived while a push of the level is pending; applied when the push is settled. A null quantity with a
  -- time means that the platform does not track the variant
  held_quantity int,
  held_at timestamptz,
  -- the quantities that the platform returned for pushes in its last second, to recognise the webhooks they cause
  answers int[] not null default '{}'::int[],
  answered_at timestamptz,
  -- pieces in unshipped orders, as the platform last said; null: never read
  committed int,
  -- damaged, in quality control, safety stock and reserved, as the platform last said; null: never read
  unavailable int,
  -- when the worker asked the platform for both
  states_read_at timestamptz,
  -- null while never read
  on_hand bigint generated always as (((quantity)::bigint + committed) + unavailable) stored,
  primary key (shop_id, variant_id, location_id),
  foreign key (shop_id) references shop (id),
  foreign key (shop_id, location_id) references location (shop_id, id),
  foreign key (shop_id, variant_id) references variant (shop_id, id)
);
create index stock_level_quantity on stock_level (shop_id, quantity, variant_id, location_id);
create index stock_level_shop_id_location_id_variant_id_idx on stock_level (shop_id, location_id, variant_id);

-- Append-only. A level is the sum of its movements.
create table stock_movement (
  shop_id bigint,
  id bigint generated always as identity,
  variant_id bigint not null,
  location_id bigint not null,
  previous_quantity int not null,
  new_quantity int not null,
  delta int not null generated always as (new_quantity - previous_quantity) stored,
  kind text not null,
  reason text not null default '',
  -- the document that caused it, as in purchase_order/42
  reference text not null default '',
  actor text not null default '',
  occurred_at timestamptz not null default now(),
  primary key (shop_id, id),
  foreign key (shop_id, variant_id, location_id) references stock_level (shop_id, variant_id, location_id),
  constraint stock_movement_kind_check
    check (kind in ('platform', 'receipt', 'reversal', 'transfer', 'count', 'set', 'delta', 'discard', 'repair', 'supplier_return'))
);
-- Changes by people, among the many movements by the platform.
create index stock_movement_shop_id_kind_occurred_at_id_idx on stock_movement (shop_id, kind, occurred_at desc, id desc) where kind <> 'platform';
create index stock_movement_shop_id_location_id_occurred_at_id_idx on stock_movement (shop_id, location_id, occurred_at desc, id desc);
create index stock_movement_shop_id_occurred_at_id_idx on stock_movement (shop_id, occurred_at desc, id desc);
create index stock_movement_shop_id_occurred_at_id_idx1 on stock_movement (shop_id, occurred_at desc, id desc) where kind in ('set', 'delta', 'count');
create index stock_movement_shop_id_variant_id_location_id_id_idx on stock_movement (shop_id, variant_id, location_id, id);
create index stock_movement_shop_id_variant_id_occurred_at_id_idx on stock_movement (shop_id, variant_id, occurred_at desc, id desc);

-- Webhook deliveries of the platform. A delivery is stored before it is acknowledged, with the fields that the jobs read
-- (`shared/domain/kit/webhook-fields/projection.ts`), so without data of customers. Jobs apply it, and it stays stored, so that it can be
-- replayed.
create table webhook_delivery (
  shop_id bigint,
  id bigint generated always as identity,
  topic text not null,
  -- the same value when the platform retries the delivery
  webhook_id text not null,
  event_id text not null default '',
  triggered_at timestamptz,
  payload bytea not null,
  state text not null default 'received' check (state in ('received', 'applied', 'ignored', 'rejected', 'failed')),
  -- why it was ignored, rejected or has failed
  reason text not null default '',
  received_at timestamptz not null default now(),
  settled_at timestamptz,
  is_projected boolean not null default false,
  primary key (shop_id, id),
  constraint webhook_delivery_shop_id_webhook_id_key unique (shop_id, webhook_id),
  foreign key (shop_id) references shop (id)
);
create index webhook_delivery_received_at_idx on webhook_delivery (received_at);
create index webhook_delivery_shop_id_state_id_idx on webhook_delivery (shop_id, state, id);
-- Empty after the first runs of the job.
create index webhook_delivery_unprojected on webhook_delivery (shop_id, id) where not is_projected;

-- Sales, one row per order line, so that a repeated webhook of an order counts once. `quantity` is what was ordered; units sold are
-- `quantity - cancelled`.
create table sale (
  shop_id bigint,
  order_gid text,
  line_gid text,
  variant_gid text not null,
  quantity int not null,
  ordered_at timestamptz not null,
  created_at timestamptz not null default now(),
  cancelled int not null default 0,
  returned int not null default 0,
  -- of the units sold, after discounts, in the shop's currency; null: recorded by an earlier release
  revenue numeric,
  primary key (shop_id, order_gid, line_gid),
  foreign key (shop_id) references shop (id)
);
create index sale_ordered_at on sale (shop_id, ordered_at) include (variant_gid, quantity, cancelled, returned, revenue);
create index sale_variant on sale (shop_id, variant_gid, ordered_at) include (quantity, cancelled);

-- Syncs, which read a whole shop. A shop has one running sync at a time; it continues at the stored page.
create table catalog_sync (
  shop_id bigint,
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
  -- what started it
  cause text not null default 'merchant' check (cause in ('installation', 'merchant', 'upgrade', 'weekly', 'repair')),
  -- the version of the fields that it reads; a shop whose last sync read fewer is read again (`shared/domain/exchange/sync/due.ts`)
  fields_version int not null default 0,
  primary key (shop_id, id),
  foreign key (shop_id) references shop (id)
);
create unique index catalog_sync_running on catalog_sync (shop_id) where state = 'running';

-- Time slots of scheduled jobs that were enqueued. The worker that inserts the row enqueues the jobs, so that each slot is enqueued once
-- with any number of workers.
create table schedule_slot (
  name text,
  slot timestamptz,
  created_at timestamptz not null default now(),
  primary key (name, slot)
);

-- Responses to requests with an idempotency key, stored in the transaction of their effect. A repeated request gets the stored response.
-- Expires after 24 hours.
create table idempotency_key (
  shop_id bigint,
  key text,
  -- a hash of method, address and body: a key belongs to one request
  request_hash bytea not null,
  -- null only within the transaction that executes the request
  status int,
  body text,
  created_at timestamptz not null default now(),
  primary key (shop_id, key),
  foreign key (shop_id) references shop (id)
);
create index idempotency_key_created_at_idx on idempotency_key (created_at);

-- Pushes: stock changes of the service that are sent to the platform. `quantity - platform_quantity` of a level is the sum of its lines in
-- pushes that are not done.
create table stock_push (
  shop_id bigint,
  id bigint generated always as identity,
  -- adjust: the request contains differences; set: it contains absolute quantities
  form text not null check (form in ('adjust', 'set')),
  -- one of the platform's reasons
  reason text not null,
  -- the document that caused it, as in purchase_order/42
  reference text not null default '',
  -- queued: no request is pending; sending: it is unknown yet whether the platform has applied the request
  state text not null default 'queued' check (state in ('queued', 'sending', 'done', 'failed', 'discarded')),
  -- the platform applies a request with the same key once; renewed after the platform has refused a request
  idempotency_key uuid not null default gen_random_uuid(),
  -- the exact request that was sent with this key
  request jsonb,
  refusals int not null default 0,
  -- a sentence for the merchant
  error text not null default '',
  -- the job that sends it
  claimed_by text,
  claimed_at timestamptz,
  first_sent_at timestamptz,
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  job_id bigint,
  primary key (shop_id, id),
  foreign key (shop_id) references shop (id)
);
create index stock_push_settled_at_idx on stock_push (settled_at) where settled_at is not null;
create index stock_push_shop_id_id_idx on stock_push (shop_id, id) where state in ('queued', 'sending', 'failed');
create index stock_push_shop_id_idx on stock_push (shop_id) where state = 'sending';

-- Deleted when the platform has confirmed the push. The movement stays. `move_stock` alone writes lines, with a movement of the same level,
-- which checks the level.
create table stock_push_line (
  shop_id bigint,
  push_id bigint,
  variant_id bigint,
  location_id bigint,
  delta int not null,
  -- not used any more
  counted_at timestamptz,
  packed_push_id bigint,
  primary key (shop_id, push_id, variant_id, location_id),
  foreign key (shop_id, push_id) references stock_push (shop_id, id) on delete cascade
);
create index stock_push_line_shop_id_variant_id_location_id_push_id_idx on stock_push_line (shop_id, variant_id, location_id, push_id);

-- Alerts for the merchant. At most one alert per type and subject is open. A resolved one may be raised again.
create table alert (
  shop_id bigint,
  id bigint generated always as identity,
  type text not null check (type in ('low_stock', 'po_overdue', 'mail_failed', 'sync_conflict')),
  -- the subject, as in stock_push/42
  subject text not null,
  message text not null,
  product_gid text,
  purchase_order_id bigint,
  is_read boolean not null default false,
  created_at timestamptz not null default now(),
  resolved_at timestamptz,
  primary key (shop_id, id),
  foreign key (shop_id) references shop (id)
);
create unique index alert_open on alert (shop_id, type, subject) where resolved_at is null;
-- The alerts that were resolved lately, of a shop that has many.
create index alert_resolved on alert (shop_id, resolved_at) where resolved_at is not null;
create index alert_resolved_at_idx on alert (resolved_at) where resolved_at is not null;
create index alert_shop_id_id_idx on alert (shop_id, id desc) where resolved_at is null;
create index alert_shop_id_is_read_id_idx on alert (shop_id, is_read, id desc) where resolved_at is null;

-- Receipts: documents of goods that arrived. A posted one cannot be edited, only reversed. An imported one says what had arrived before the
-- shop moved in: it moved no stock.
create table receipt (
  shop_id bigint,
  id bigint generated always as identity,
  purchase_order_id bigint,
  location_id bigint not null,
  notes text not null default '',
  -- a hash of lines and location: the same value again within seconds is a double click
  fingerprint bytea not null,
  -- the order's status in the response
  status_after text check (status_after in ('sent', 'partial', 'received')),
  created_by text not null,
  created_at timestamptz not null default now(),
  reversed_by text,
  reversed_at timestamptz,
  -- a draft moves no stock
  state text not null default 'posted' check (state in ('draft', 'posted')),
  -- of a receipt that was a draft; another one was posted when it was created, by `created_by`
  posted_at timestamptz,
  posted_by text,
  -- its place among the receipts, from the sequence of their ids; null: the id
  posting_no bigint,
  delivery_note text not null default '',
  -- of goods without an order; with an order, the order has the supplier
  supplier_id bigint,
  -- counts the changes of a draft
  version int not null default 1,
  is_imported boolean not null default false,
  primary key (shop_id, id),
  foreign key (shop_id) references shop (id),
  foreign key (shop_id, location_id) references location (shop_id, id),
  foreign key (shop_id, purchase_order_id) references purchase_order (shop_id, id),
  constraint receipt_supplier_fkey foreign key (shop_id, supplier_id) references supplier (shop_id, id),
  constraint receipt_reversed_is_posted check (state = 'posted' or reversed_at is null)
);
create index receipt_delivery_note on receipt using gin (shop_id, lower(delivery_note) gin_trgm_ops) where delivery_note <> '';
create index receipt_listed_state on receipt (shop_id, (
case
    when reversed_at is not null then 'reversed'::text
    else state
end), id desc);
-- The receipts of a location, and those of a state as lists show it, which serves the list of drafts, too.
create index receipt_location on receipt (shop_id, location_id, id desc);
create index receipt_of_supplier on receipt (shop_id, supplier_id, id) where supplier_id is not null;
-- receipts that count in the spend, by the day on which they do
create index receipt_posted on receipt (shop_id, coalesce(posted_at, created_at));
create index receipt_shop_id_purchase_order_id_id_idx on receipt (shop_id, purchase_order_id, id desc);

-- `quantity` is what was accepted.
create table receipt_line (
  shop_id bigint,
  receipt_id bigint,
  purchase_order_line_id bigint,
  quantity int not null check (quantity >= 0),
  -- false: the platform does not track this variant, so the receipt moved no stock
  is_stocked boolean not null,
  rejected int not null default 0 check (rejected >= 0),
  reject_reason text not null default '',
  -- replace: the pieces stay outstanding; credit: they are closed
  reject_outcome text check (reject_outcome in ('replace', 'credit')),
  -- of a piece, in the order's currency, after discounts; null: the price of the order
  unit_cost numeric(19,4) check (unit_cost >= 0),
  primary key (shop_id, receipt_id, purchase_order_line_id),
  foreign key (shop_id, purchase_order_line_id) references purchase_order_line (shop_id, id),
  foreign key (shop_id, receipt_id) references receipt (shop_id, id),
  constraint receipt_line_reject_check check ((rejected > 0) = (reject_outcome is not null))
);
-- The spend reads the lines of receipts that changed what their order costs, which are few.
create index receipt_line_corrected on receipt_line (shop_id, receipt_id) where unit_cost is not null or reject_outcome = 'credit';
create index receipt_line_shop_id_purchase_order_line_id_idx on receipt_line (shop_id, purchase_order_line_id);

-- Transfers of goods from one location of the shop to another.
create table stock_transfer (
  shop_id bigint,
  id bigint generated always as identity,
  source_location_id bigint not null,
  destination_location_id bigint not null,
  status text not null default 'pending' check (status in ('pending', 'in_transit', 'partial', 'completed', 'cancelled')),
  notes text not null default '',
  item_count int not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  shipped_at timestamptz,
  completed_at timestamptz,
  cancelled_at timestamptz,
  version int not null default 1,
  primary key (shop_id, id),
  foreign key (shop_id, destination_location_id) references location (shop_id, id),
  foreign key (shop_id) references shop (id),
  foreign key (shop_id, source_location_id) references location (shop_id, id),
  constraint stock_transfer_check check (source_location_id <> destination_location_id)
);
create index stock_transfer_destination on stock_transfer (shop_id, destination_location_id, id desc);
-- the last completed transfers of a route
create index stock_transfer_route on stock_transfer (shop_id, source_location_id, destination_location_id, completed_at desc, id desc)
  where status = 'completed' and shipped_at is not null and completed_at is not null;
-- Transfers and counts are found by number, notes, location and the products of their lines.
create index stock_transfer_search on stock_transfer using gin (shop_id, lower(((('#' || (id)::text) || ' ') || notes)) gin_trgm_ops);
create index stock_transfer_shop_id_status_id_idx on stock_transfer (shop_id, status, id desc);
-- the documents of a location
create index stock_transfer_source on stock_transfer (shop_id, source_location_id, id desc);

-- Always shipped = received + lost + damaged + returned + in transit.
create table stock_transfer_item (
  shop_id bigint,
  transfer_id bigint,
  position int not null,
  variant_id bigint not null,
  quantity int not null check (quantity > 0),
  shipped int not null default 0 check (shipped >= 0),
  received int not null default 0 check (received >= 0),
  lost int not null default 0 check (lost >= 0),
  damaged int not null default 0 check (damaged >= 0),
  -- to the source
  returned int not null default 0 check (returned >= 0),
  in_transit int not null generated always as ((((shipped - received) - lost) - damaged) - returned) stored check (in_transit >= 0),
  primary key (shop_id, transfer_id, "position"),
  foreign key (shop_id, transfer_id) references stock_transfer (shop_id, id) on delete cascade,
  foreign key (shop_id, variant_id) references variant (shop_id, id),
  constraint stock_transfer_item_check check (shipped <= quantity)
);
create index stock_transfer_item_in_transit on stock_transfer_item (shop_id, variant_id) where in_transit > 0;
create index stock_transfer_item_shop_id_variant_id_idx on stock_transfer_item (shop_id, variant_id);

-- Reorder rules: when to reorder a variant, how many pieces, and up to which stock. The service level is that of the ABC class unless the
-- merchant chose one.
create table reorder_rule (
  shop_id bigint,
  id bigint generated always as identity,
  variant_id bigint not null,
  -- null: the total of all locations
  location_id bigint,
  supplier_id bigint,
  -- auto: point and quantity are computed every night from the sales
  mode text not null default 'manual' check (mode in ('manual', 'auto')),
  reorder_point int not null check (reorder_point >= 0),
  reorder_quantity int not null check (reorder_quantity > 0),
  -- for auto: the probability in percent that stock lasts until the next delivery, and the days between two orders
  service_level int not null default 95 check (service_level >= 90 and service_level <= 99),
  review_days int not null default 7 check (review_days >= 1 and review_days <= 90),
  -- the input of the computation, shown so that people can check it
  inputs jsonb,
  computed_at timestamptz,
  -- a copy for fast lists; shared/domain/ledgers/stock/low-stock.ts updates it with every change of the levels
  current_stock bigint not null default 0,
  is_low boolean not null generated always as (current_stock <= reorder_point) stored,
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  max_level int check (max_level >= 1 and max_level <= 1000000000),
  is_level_by_class boolean not null default true,
  primary key (shop_id, id),
  constraint reorder_rule_shop_id_variant_id_location_id_key unique nulls not distinct (shop_id, variant_id, location_id),
  foreign key (shop_id) references shop (id),
  foreign key (shop_id, location_id) references location (shop_id, id),
  foreign key (shop_id, supplier_id) references supplier (shop_id, id),
  foreign key (shop_id, variant_id) references variant (shop_id, id)
);
-- The low rules of a shop by variant; the counted variant is looked up in the next index.
create index reorder_rule_low on reorder_rule (shop_id, variant_id) where is_low;
create index reorder_rule_shop_id_id_idx on reorder_rule (shop_id, id desc) where is_low;
create index reorder_rule_shop_id_id_idx1 on reorder_rule (shop_id, id) where mode = 'auto';
create index reorder_rule_shop_id_supplier_id_id_idx on reorder_rule (shop_id, supplier_id, id desc);

-- Sales velocity of variants. Computed nightly for all variants, and soon after a sale for the sold ones.
create table variant_velocity (
  shop_id bigint,
  variant_id bigint,
  -- pieces sold in the last 7, 30 and 90 days of the shop's time zone, including today
  units_7d bigint not null default 0,
  units_30d bigint not null default 0,
  units_90d bigint not null default 0,
  -- units of 90 days at the variant's price, and the class by that revenue: A is the highest, C the lowest
  revenue_90d numeric not null default 0,
  abc_class text not null default 'C' check (abc_class in ('A', 'B', 'C')),
  last_sold_at timestamptz,
  computed_at timestamptz not null default now(),
  returned_7d bigint not null default 0,
  returned_30d bigint not null default 0,
  returned_90d bigint not null default 0,
  -- the day of the first stock above zero or the first sale, in the shop's time zone; null: before all known sales
  first_day date,
  primary key (shop_id, variant_id),
  foreign key (shop_id) references shop (id),
  foreign key (shop_id, variant_id) references variant (shop_id, id)
);
create index variant_velocity_last_sold on variant_velocity (shop_id, coalesce(last_sold_at, '1970-01-01 00:00:00+00'::timestamptz), variant_id);
create index variant_velocity_shop_id_revenue_90d_variant_id_idx on variant_velocity (shop_id, revenue_90d desc, variant_id desc);
create index variant_velocity_shop_id_units_30d_variant_id_idx on variant_velocity (shop_id, units_30d desc, variant_id desc);
create index variant_velocity_shop_id_units_7d_variant_id_idx on variant_velocity (shop_id, units_7d desc, variant_id desc);
create index variant_velocity_shop_id_units_90d_variant_id_idx on variant_velocity (shop_id, units_90d desc, variant_id desc);

-- One row for each sale since the velocity of the variant was computed. The table has no unique key on the variant, so that concurrent
-- orders never wait for each other here. The computation deletes the rows.
create table velocity_mark (
  shop_id bigint,
  id bigint generated always as identity,
  variant_gid text not null,
  is_past boolean not null default false,
  primary key (shop_id, id),
  foreign key (shop_id) references shop (id)
);

-- A lock row: the computation locks it, so that a shop has one computation at a time.
create table velocity_run (
  shop_id bigint,
  ran_at timestamptz not null,
  primary key (shop_id),
  foreign key (shop_id) references shop (id)
);

-- The alerts that a merchant wants. It controls which alerts are raised; open alerts do not change.
create table alert_configuration (
  shop_id bigint,
  low_stock_alerts boolean not null default true,
  overdue_po_alerts boolean not null default true,
  -- a low-stock alert is raised below the reorder point plus this percentage of it
  alert_threshold_percent numeric(6,2) not null default 0 check (alert_threshold_percent >= 0 and alert_threshold_percent <= 1000),
  updated_at timestamptz not null default now(),
  primary key (shop_id),
  foreign key (shop_id) references shop (id)
);

-- The value of the stock per day.
create table inventory_value_day (
  shop_id bigint,
  -- a day in the shop's time zone
  day date,
  location_id bigint,
  quantity bigint not null,
  value numeric(24,3) not null,
  -- pieces of unknown cost, which the value excludes
  uncosted_quantity bigint not null,
  computed_at timestamptz not null default now(),
  primary key (shop_id, day, location_id),
  foreign key (shop_id) references shop (id),
  foreign key (shop_id, location_id) references location (shop_id, id)
);

-- The outcome of each attempt of a job, for 7 days. The queue deletes a job when it is done.
create table job_run (
  -- no shop_id in the key: some jobs belong to no shop, and this table stays on the node of the queue
  id bigint generated always as identity,
  job_id bigint not null,
  task text not null,
  -- an attempt for several shops has one row per shop; null when the job belongs to no shop
  shop_id bigint,
  -- only ids; for a list payload, those of the entries with this outcome, as in {"deliveryId": [1, 2]}
  payload jsonb not null default '{}',
  attempt int not null,
  max_attempts int not null,
  state text not null check (state in ('done', 'failed', 'dropped', 'handed_back')),
  error text not null default '',
  started_at timestamptz not null,
  ended_at timestamptz not null,
  ms int not null,
  -- the worker's id in worker_instance; that row is deleted when the process ends
  worker_id uuid not null,
  primary key (id),
  foreign key (shop_id) references shop (id)
);
create index job_run_ended_at_idx on job_run (ended_at);
create index job_run_job_id_idx on job_run (job_id);
create index job_run_shop_id_id_idx on job_run (shop_id, id);

-- Counts the process crashes of each job, so that a job that crashes its process every time is set aside.
create table job_crash (
  -- the id of the job in the queue; the row is deleted when the job is done
  job_id bigint,
  crashes int not null default 1,
  last_at timestamptz not null default now(),
  primary key (job_id)
);

-- Variants whose levels the worker has to read from the platform.
create table level_read (
  shop_id bigint,
  variant_id bigint,
  -- 0: a count waits for it; 1: the platform reported a change; 2: never read
  priority smallint not null check (priority >= 0 and priority <= 2),
  requested_at timestamptz not null,
  -- a claim and a pause move it into the future
  due_at timestamptz not null,
  attempts int not null default 0,
  primary key (shop_id, variant_id),
  foreign key (shop_id, variant_id) references variant (shop_id, id)
);
create index level_read_shop_id_priority_requested_at_variant_id_idx on level_read (shop_id, priority, requested_at, variant_id);

-- The newest state of an order that was applied. A deleted order keeps its row, so that late webhooks change nothing.
create table sale_order (
  shop_id bigint,
  order_gid text,
  updated_at timestamptz not null,
  -- units that were ordered, cancelled or returned: of two states with the same instant, the one with more is newer
  changes bigint not null default 0,
  -- of two states with the same instant and the same units, the one that earns less is newer
  revenue numeric not null default 0,
  deleted_at timestamptz,
  primary key (shop_id, order_gid),
  foreign key (shop_id) references shop (id)
);
-- for the removal of old orders
create index sale_order_shop_id_updated_at_idx on sale_order (shop_id, updated_at);

-- Since when the sales of a shop are known, and how far its orders have been read.
create table sales_reading (
  shop_id bigint,
  known_since timestamptz not null,
  -- all changes of orders up to here were read; null before the first reading has ended
  read_until timestamptz,
  -- the reading that is under way; null between readings
  started_at timestamptz,
  cursor text,
  order_count int not null default 0,
  primary key (shop_id),
  foreign key (shop_id) references shop (id)
);

-- The last local date for which the nightly jobs of a shop were enqueued.
create table shop_night (
  shop_id bigint,
  -- in the time zone that the shop had then
  day date not null,
  primary key (shop_id),
  foreign key (shop_id) references shop (id)
);

-- The names by which the platform's products call a supplier.
create table supplier_alias (
  shop_id bigint,
  id bigint generated always as identity,
  supplier_id bigint not null,
  vendor_name text not null check (vendor_name <> ''),
  primary key (shop_id, id),
  foreign key (shop_id, supplier_id) references supplier (shop_id, id) on delete cascade
);
create index supplier_alias_shop_id_supplier_id_idx on supplier_alias (shop_id, supplier_id);
create unique index supplier_alias_vendor on supplier_alias (shop_id, lower(vendor_name));

-- How a supplier sells a variant. Two packagings of one variant are two rows with different supplier SKUs.
create table supplier_product (
  shop_id bigint,
  id bigint generated always as identity,
  supplier_id bigint not null,
  variant_id bigint not null,
  supplier_sku text not null default '',
  supplier_title text not null default '',
  -- pieces in a pack
  pack_size int not null default 1 check (pack_size >= 1 and pack_size <= 1000000),
  -- pieces; null: none
  minimum_quantity int check (minimum_quantity >= 1 and minimum_quantity <= 1000000000),
  -- pieces
  quantity_multiple int not null default 1 check (quantity_multiple >= 1 and quantity_multiple <= 1000000),
  -- null: the supplier's
  lead_time_days int check (lead_time_days >= 0 and lead_time_days <= 730),
  -- 1: preferred among the suppliers of the variant
  rank smallint not null default 1 check (rank >= 1 and rank <= 99),
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
create index supplier_product_pack on supplier_product (shop_id, scan_code(pack_barcode)) where pack_barcode <> '';
-- Indexes for a supplier with many products and orders.
create index supplier_product_search on supplier_product using gin (shop_id, lower(((supplier_sku || ' ') || pack_barcode)) gin_trgm_ops);

-- Prices of a supplier for a packaging, by quantity and days.
create table supplier_price (
  shop_id bigint,
  id bigint generated always as identity,
  supplier_product_id bigint not null,
  -- pieces of one line from which the price holds
  min_quantity int not null default 1 check (min_quantity >= 1 and min_quantity <= 1000000000),
  -- of one piece
  price numeric(19,4) not null check (price >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- days in the shop's time zone, both included; null: without a limit
  valid_from date,
  valid_to date,
  source text not null check (source in ('typed', 'import', 'order', 'receipt')),
  created_at timestamptz not null default now(),
  primary key (shop_id, id),
  constraint supplier_price_is_unique
    exclude using gist (shop_id with =, supplier_product_id with =, min_quantity with =, currency with =, daterange(valid_from, valid_to, '[]'::text) with &&),
  foreign key (shop_id, supplier_product_id) references supplier_product (shop_id, id) on delete cascade,
  constraint supplier_price_period_check check (valid_from <= valid_to)
);

-- What each revision of a sent order changed.
create table purchase_order_revision (
  shop_id bigint,
  purchase_order_id bigint,
  revision int,
  changes jsonb not null,
  reason text not null default '',
  created_by text not null,
  created_at timestamptz not null default now(),
  primary key (shop_id, purchase_order_id, revision),
  foreign key (shop_id, purchase_order_id) references purchase_order (shop_id, id) on delete cascade
);

-- The shop's own words of a mail, with placeholders.
create table mail_template (
  shop_id bigint,
  kind text check (kind in ('purchase_order', 'revision')),
  subject text not null,
  body text not null,
  version int not null default 1,
  updated_at timestamptz not null default now(),
  primary key (shop_id, kind),
  foreign key (shop_id) references shop (id)
);

-- Costs of an order beside its goods. `shares` is for the basis manual: the merchant's amount of each line. A charge in the currency of its
-- order without a typed rate follows the rate of the order.
create table purchase_order_charge (
  shop_id bigint,
  id bigint generated always as identity,
  purchase_order_id bigint not null,
  kind text not null check (kind in ('freight', 'duty', 'insurance', 'handling', 'other')),
  amount numeric(19,4) not null check (amount >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- 1 of `currency` in the shop's currency
  rate numeric(18,8) not null check (rate > 0),
  -- percent, recoverable: it is no part of the cost
  tax_rate numeric(6,3) not null default 0 check (tax_rate >= 0 and tax_rate <= 100),
  basis text not null check (basis in ('value', 'quantity', 'weight', 'manual')),
  -- null: all lines
  line_ids bigint[],
  shares jsonb,
  is_estimate boolean not null default false,
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  is_rate_typed boolean not null default true,
  primary key (shop_id, id),
  foreign key (shop_id, purchase_order_id) references purchase_order (shop_id, id) on delete cascade
);
create index purchase_order_charge_shop_id_purchase_order_id_id_idx on purchase_order_charge (shop_id, purchase_order_id, id);

-- The last typed rate of each currency and day.
create table exchange_rate (
  shop_id bigint,
  currency text check (currency ~ '^[A-Z]{3}$'),
  day date,
  -- 1 of `currency` in the shop's currency
  rate numeric(18,8) not null check (rate > 0),
  source text not null check (source in ('typed', 'import')),
  primary key (shop_id, currency, day),
  foreign key (shop_id) references shop (id)
);

-- The book cost of a variant: what its cost movements lead to. In the shop's currency.
create table variant_cost (
  shop_id bigint,
  variant_id bigint,
  -- null: not known
  average_cost numeric(38,18),
  last_cost numeric(19,4),
  -- what the average came from
  source text,
  updated_at timestamptz not null,
  primary key (shop_id, variant_id),
  foreign key (shop_id, variant_id) references variant (shop_id, id),
  constraint variant_cost_source_check1 check (source in ('platform', 'receipt', 'import', 'manual'))
);

-- Changes of committed and unavailable pieces together: with stock_movement they give what was on hand at any time.
create table stock_state_change (
  shop_id bigint,
  id bigint generated always as identity,
  variant_id bigint not null,
  location_id bigint not null,
  delta int not null,
  occurred_at timestamptz not null,
  primary key (shop_id, id),
  foreign key (shop_id, variant_id, location_id) references stock_level (shop_id, variant_id, location_id)
);
create index stock_state_change_shop_id_occurred_at_idx on stock_state_change (shop_id, occurred_at);
create index stock_state_change_shop_id_variant_id_location_id_idx on stock_state_change (shop_id, variant_id, location_id);

-- The cost that the platform should have, one row for each variant until the platform has it.
create table cost_push (
  shop_id bigint,
  variant_id bigint,
  cost numeric(19,4) not null check (cost >= 0),
  requested_at timestamptz not null,
  -- the job that sends it; another job may take it after five minutes
  claimed_by text,
  claimed_at timestamptz,
  attempts int not null default 0,
  -- the platform will never accept it; a new cost is tried again
  failed_at timestamptz,
  reason text not null default '',
  primary key (shop_id, variant_id),
  foreign key (shop_id, variant_id) references variant (shop_id, id)
);
create index cost_push_waiting on cost_push (shop_id, requested_at) where failed_at is null;

-- Goods that arrived without an order.
create table direct_receipt_line (
  shop_id bigint,
  receipt_id bigint,
  position int not null,
  variant_id bigint not null,
  -- of the product when the goods arrived
  sku text not null,
  title text not null,
  quantity int not null check (quantity > 0),
  -- of a piece, in the shop's currency; null: the average
  unit_cost numeric(19,4) check (unit_cost >= 0),
  primary key (shop_id, receipt_id, "position"),
  foreign key (shop_id, receipt_id) references receipt (shop_id, id),
  foreign key (shop_id, variant_id) references variant (shop_id, id)
);
create index direct_receipt_line_shop_id_variant_id_receipt_id_idx on direct_receipt_line (shop_id, variant_id, receipt_id);

-- The last number of a return. The transaction that creates a return increments it, so numbers have no gaps.
create table supplier_return_counter (
  shop_id bigint,
  last_number int not null,
  primary key (shop_id),
  foreign key (shop_id) references shop (id)
);

-- Goods that go back to a supplier.
create table supplier_return (
  shop_id bigint,
  id bigint generated always as identity,
  serial int not null,
  number text not null generated always as ('RET-' || lpad((serial)::text, greatest(5, length((serial)::text)), '0'::text)) stored,
  supplier_id bigint not null,
  -- the receipt that brought the goods; null: not known
  receipt_id bigint,
  -- where the goods are taken from
  location_id bigint not null,
  state text not null default 'draft' check (state in ('draft', 'shipped', 'credited', 'cancelled')),
  notes text not null default '',
  -- on the document for the supplier, such as the supplier's number of the return
  supplier_reference text not null default '',
  -- of the credit; null: the shop's
  currency text check (currency ~ '^[A-Z]{3}$'),
  -- 1 of `currency` in the shop's currency; null while it is not known, and for the shop's own
  rate numeric(18,8) check (rate > 0),
  credit_amount numeric(19,4) check (credit_amount >= 0),
  credit_reference text not null default '',
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  shipped_at timestamptz,
  shipped_by text,
  credited_at timestamptz,
  cancelled_at timestamptz,
  cancelled_by text,
  version int not null default 1,
  primary key (shop_id, id),
  constraint supplier_return_shop_id_serial_key unique (shop_id, serial),
  foreign key (shop_id, location_id) references location (shop_id, id),
  foreign key (shop_id, receipt_id) references receipt (shop_id, id),
  foreign key (shop_id, supplier_id) references supplier (shop_id, id),
  constraint supplier_return_credit_has_amount check ((state = 'credited') = (credit_amount is not null)),
  constraint supplier_return_credit_has_time check ((state = 'credited') = (credited_at is not null))
);
create index supplier_return_search on supplier_return using gin (shop_id, lower(((((number || ' ') || supplier_reference) || ' ') || credit_reference)) gin_trgm_ops);
create index supplier_return_shop_id_credited_at_idx on supplier_return (shop_id, credited_at) where credited_at is not null;
create index supplier_return_shop_id_receipt_id_idx on supplier_return (shop_id, receipt_id) where receipt_id is not null;
create index supplier_return_shop_id_state_id_idx on supplier_return (shop_id, state, id desc);
create index supplier_return_shop_id_supplier_id_id_idx on supplier_return (shop_id, supplier_id, id desc);

-- The ledger of costs. Rows never change.
create table cost_movement (
  shop_id bigint,
  id bigint generated always as identity,
  variant_id bigint not null,
  cause text not null,
  -- of receipts, their reversals and their late charges
  receipt_id bigint,
  reference text not null default '',
  actor text not null default '',
  -- pieces that came (above 0) or left (below 0)
  quantity int not null default 0,
  -- of one of these pieces; of a row without pieces the new cost
  unit_cost numeric(38,18),
  -- what it added to the value of stock, and what it could not add, since the goods had left
  value numeric(50,18) not null default 0,
  variance numeric(50,18) not null default 0,
  -- of the shop, before the row
  on_hand_before bigint not null,
  average_before numeric(38,18),
  average_after numeric(38,18),
  last_cost_after numeric(19,4),
  occurred_at timestamptz not null,
  -- of the cause return
  supplier_return_id bigint,
  primary key (shop_id, id),
  foreign key (shop_id, receipt_id) references receipt (shop_id, id),
  foreign key (shop_id, variant_id) references variant (shop_id, id),
  constraint cost_movement_supplier_return_fkey foreign key (shop_id, supplier_return_id) references supplier_return (shop_id, id),
  constraint cost_movement_cause_check
    check (cause in ('opening', 'platform', 'import', 'manual', 'receipt', 'reversal', 'charge', 'return', 'loss', 'repair'))
);
create index cost_movement_of_receipt on cost_movement (shop_id, receipt_id, variant_id) where receipt_id is not null;
create index cost_movement_of_return on cost_movement (shop_id, supplier_return_id, variant_id) where supplier_return_id is not null;
create index cost_movement_of_variant on cost_movement (shop_id, variant_id, id);

-- Lines of returns to suppliers.
create table supplier_return_line (
  shop_id bigint,
  id bigint generated always as identity,
  supplier_return_id bigint not null,
  position int not null,
  variant_id bigint not null,
  quantity int not null check (quantity > 0),
  reason text not null,
  -- whether its pieces moved stock; null until the goods are shipped
  is_stocked boolean,
  primary key (shop_id, id),
  constraint supplier_return_line_shop_id_supplier_return_id_position_key unique (shop_id, supplier_return_id, "position"),
  foreign key (shop_id, supplier_return_id) references supplier_return (shop_id, id),
  foreign key (shop_id, variant_id) references variant (shop_id, id)
);
create index supplier_return_line_shop_id_variant_id_idx on supplier_return_line (shop_id, variant_id);

-- Where goods lie in a location.
create table location_bin (
  shop_id bigint,
  variant_id bigint,
  location_id bigint,
  bin text collate bin_order not null check (bin <> '' and length(bin) <= 40 and bin !~ '[\n\r]'),
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (shop_id, variant_id, location_id),
  foreign key (shop_id, location_id) references location (shop_id, id),
  foreign key (shop_id, variant_id) references variant (shop_id, id)
);
-- The stock list in the order of bins, of one location and of all.
create index location_bin_of_location on location_bin (shop_id, location_id, bin, variant_id);
create index location_bin_of_shop on location_bin (shop_id, bin, variant_id, location_id);

-- What a person did with a transfer. A row changes once, when it is reversed. A repeated shipment or receipt is recognised by its key for as
-- long as its event exists.
create table stock_transfer_event (
  shop_id bigint,
  id bigint generated always as identity,
  transfer_id bigint not null,
  kind text not null check (kind in ('ship', 'receive', 'close', 'complete', 'cancel')),
  actor text not null,
  occurred_at timestamptz not null,
  -- of the request, to recognise a double click
  fingerprint bytea,
  reversed_at timestamptz,
  reversed_by text,
  -- of the request that wrote the event; null: it had none, or an early release wrote it
  idempotency_key text,
  primary key (shop_id, id),
  foreign key (shop_id, transfer_id) references stock_transfer (shop_id, id) on delete cascade
);
create index stock_transfer_event_shop_id_transfer_id_id_idx on stock_transfer_event (shop_id, transfer_id, id desc);

-- The pieces of each line in an event of a transfer.
create table stock_transfer_event_item (
  shop_id bigint,
  event_id bigint,
  -- of the transfer's item
  position int not null,
  variant_id bigint not null,
  shipped int not null check (shipped >= 0),
  received int not null check (received >= 0),
  lost int not null check (lost >= 0),
  damaged int not null check (damaged >= 0),
  returned int not null check (returned >= 0),
  -- of a lost or damaged piece, in the shop's currency: the average that was booked; null when it was not known
  loss_cost numeric(38,18),
  primary key (shop_id, event_id, "position"),
  foreign key (shop_id, event_id) references stock_transfer_event (shop_id, id) on delete cascade,
  foreign key (shop_id, variant_id) references variant (shop_id, id)
);

-- Plans that make counts.
create table count_plan (
  shop_id bigint,
  id bigint generated always as identity,
  location_id bigint not null,
  -- null: every class
  abc_class text check (abc_class in ('A', 'B', 'C')),
  every_days int not null check (every_days >= 1 and every_days <= 366),
  blind boolean not null default false,
  -- null: as many as a count may have
  max_items int check (max_items > 0),
  -- the worker makes the next count in the first night of the shop at or after this date
  next_on date not null,
  -- why the last due night made no count; null after one that did
  problem text check (problem in ('nothing_to_count', 'unknown_location')),
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (shop_id, id),
  foreign key (shop_id) references shop (id),
  foreign key (shop_id, location_id) references location (shop_id, id)
);
create index count_plan_shop_id_next_on_idx on count_plan (shop_id, next_on);

-- Counts of a location: by filter, by several people, blind, with recount and approval. An approval is one of certain variances: corrections
-- of the levels may change them before the count is submitted.
create table stock_count (
  shop_id bigint,
  id bigint generated always as identity,
  location_id bigint not null,
  status text not null default 'draft' check (status in ('draft', 'submitted', 'cancelled')),
  notes text not null default '',
  item_count int not null default 0,
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  submitted_by text,
  submitted_at timestamptz,
  cancelled_at timestamptz,
  -- numbers that were submitted without a reading of the platform
  stale_item_count int not null default 0,
  -- web hides the expected quantities until the counting is finished
  blind boolean not null default false,
  -- which products the merchant asked for; null: the request listed them
  filter jsonb,
  plan_id bigint,
  -- 1, and one more with each recount
  round int not null default 1,
  -- the last recount: round, limits, products, person, time
  recount jsonb,
  -- set: counting is finished and the numbers do not change; null again during a recount
  finished_at timestamptz,
  finished_by text,
  approved_at timestamptz,
  approved_by text,
  reason text not null default '',
  -- the result, stored by the submit; sums of the counted products
  expected_pieces bigint,
  variance_pieces bigint,
  expected_value numeric(38,3),
  variance_value numeric(38,3),
  absolute_variance_value numeric(38,3),
  uncosted_item_count int,
  is_imported boolean not null default false,
  -- the variances that were approved (`variancesOf`); null: not approved, or by an early release, whose approval stays valid
  approved_variances text,
  primary key (shop_id, id),
  foreign key (shop_id) references shop (id),
  foreign key (shop_id, location_id) references location (shop_id, id),
  foreign key (shop_id, plan_id) references count_plan (shop_id, id) on delete set null (plan_id)
);
create index stock_count_location on stock_count (shop_id, location_id, id desc);
create index stock_count_open_of_plan on stock_count (shop_id, plan_id) where plan_id is not null;
create index stock_count_search on stock_count using gin (shop_id, lower(((('#' || (id)::text) || ' ') || notes)) gin_trgm_ops);
create index stock_count_shop_id_status_id_idx on stock_count (shop_id, status, id desc);
create index stock_count_submitted on stock_count (shop_id, location_id, submitted_at) where status = 'submitted';

-- The products of a count.
create table stock_count_item (
  shop_id bigint,
  count_id bigint,
  variant_id bigint,
  position int not null,
  -- null: not counted yet
  counted_quantity int check (counted_quantity >= 0),
  -- what was expected on hand, as read after the number was entered
  expected_quantity int not null,
  counted_at timestamptz,
  -- the level's last movement at that time; later movements happened during the count
  after_movement_id bigint not null default 0,
  -- the level that submitting the count has set
  submitted_quantity int,
  -- when the API stored the number; counted_at is earlier for a number that was sent late
  entered_at timestamptz,
  -- when the worker asked the platform for expected_quantity, which is on hand; null: only estimated
  read_at timestamptz,
  -- the round in which the product is to be counted: the count's round for those on the recount list
  round int not null default 1,
  -- the cost of a piece when the count ended; null: unknown
  unit_cost numeric(38,18),
  primary key (shop_id, count_id, variant_id),
  foreign key (shop_id, count_id) references stock_count (shop_id, id) on delete cascade,
  foreign key (shop_id, variant_id) references variant (shop_id, id)
);
create index stock_count_item_shop_id_variant_id_idx on stock_count_item (shop_id, variant_id);

-- Files of documents. Each belongs to exactly one.
create table attachment (
  shop_id bigint,
  id bigint generated always as identity,
  purchase_order_id bigint,
  receipt_id bigint,
  supplier_return_id bigint,
  stock_transfer_id bigint,
  stock_count_id bigint,
  name text not null check (name <> ''),
  media_type text not null check (media_type in ('image/png', 'image/jpeg', 'image/webp', 'image/gif', 'application/pdf')),
  size int not null check (size >= 1 and size <= 2097152),
  sha256 bytea not null,
  bytes bytea not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  primary key (shop_id, id),
  foreign key (shop_id, purchase_order_id) references purchase_order (shop_id, id) on delete cascade,
  foreign key (shop_id, receipt_id) references receipt (shop_id, id) on delete cascade,
  foreign key (shop_id, stock_count_id) references stock_count (shop_id, id) on delete cascade,
  foreign key (shop_id, stock_transfer_id) references stock_transfer (shop_id, id) on delete cascade,
  foreign key (shop_id, supplier_return_id) references supplier_return (shop_id, id) on delete cascade,
  constraint attachment_has_one_subject check (num_nonnulls(purchase_order_id, receipt_id, supplier_return_id, stock_transfer_id, stock_count_id) = 1),
  constraint attachment_size_is_true check (size = octet_length(bytes))
);
-- images and PDFs are compressed already, and so are the parts of a ZIP file
alter table attachment alter column bytes set storage external;
create index attachment_shop_id_purchase_order_id_id_idx on attachment (shop_id, purchase_order_id, id) where purchase_order_id is not null;
create index attachment_shop_id_receipt_id_id_idx on attachment (shop_id, receipt_id, id) where receipt_id is not null;
create index attachment_shop_id_stock_count_id_id_idx on attachment (shop_id, stock_count_id, id) where stock_count_id is not null;
create index attachment_shop_id_stock_transfer_id_id_idx on attachment (shop_id, stock_transfer_id, id) where stock_transfer_id is not null;
create index attachment_shop_id_supplier_return_id_id_idx on attachment (shop_id, supplier_return_id, id) where supplier_return_id is not null;

-- What each counter counted: a person with a device. The quantity of an item is their sum in its round.
create table stock_count_entry (
  shop_id bigint,
  count_id bigint,
  variant_id bigint,
  round int,
  person text,
  device text default '',
  counted_quantity int not null check (counted_quantity >= 0),
  counted_at timestamptz not null,
  primary key (shop_id, count_id, variant_id, round, person, device),
  foreign key (shop_id, count_id, variant_id) references stock_count_item (shop_id, count_id, variant_id) on delete cascade
);

-- Demand by shop day and location. A day without a row was in stock and sold nothing. Days without stock are stored until 364 days after the
-- variant's last sale, for the locations that sell it.
create table demand_day (
  shop_id bigint,
  variant_id bigint,
  location_id bigint,
  day date,
  units int not null default 0,
  -- false: the location had no stock at the start of the day, and sold nothing
  in_stock boolean not null,
  -- no location had stock, and none sold
  is_sold_out boolean not null default false,
  primary key (shop_id, variant_id, location_id, day),
  foreign key (shop_id) references shop (id),
  foreign key (shop_id, location_id) references location (shop_id, id),
  foreign key (shop_id, variant_id) references variant (shop_id, id)
);

-- Variants whose sales of earlier days changed: all their days are rolled up again.
create table demand_mark (
  shop_id bigint,
  variant_id bigint,
  primary key (shop_id, variant_id),
  foreign key (shop_id, variant_id) references variant (shop_id, id)
);

-- How far the demand of a shop is rolled up, and the time zone whose days it has: after a change of the shop's zone all days are rolled up
-- again; null: not known.
create table demand_roll_up (
  shop_id bigint,
  -- all days up to this one are rolled up; null before the first run
  rolled_until date,
  -- the day to which the run under way rolls up
  rolling_to date,
  -- since when sales were known; an earlier day rolls up everything again
  known_day date,
  time_zone text,
  primary key (shop_id),
  foreign key (shop_id) references shop (id)
);

-- What the merchant knows about demand: a promotion, a fair, a closed week; or growth in general.
create table demand_event (
  shop_id bigint,
  id bigint generated always as identity,
  name text not null check (name <> ''),
  -- event: the days differ, in the past too; growth: the forecast changes, the past does not
  kind text not null check (kind in ('event', 'growth')),
  scope text not null check (scope in ('shop', 'product_type', 'vendor', 'variant')),
  -- the product type or the vendor
  scope_value text not null default '',
  variant_id bigint,
  starts_on date not null,
  -- null: without an end
  ends_on date,
  -- demand on these days, by the usual demand: 2 is twice as much
  factor numeric(7,4) not null check (factor >= 0 and factor <= 100),
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version int not null default 1,
  primary key (shop_id, id),
  foreign key (shop_id) references shop (id),
  foreign key (shop_id, variant_id) references variant (shop_id, id),
  constraint demand_event_dates check (ends_on >= starts_on),
  constraint demand_event_scope check ((scope = 'variant') = (variant_id is not null))
);

-- What the products of a type have in common.
create table type_profile (
  shop_id bigint,
  id bigint generated always as identity,
  -- '' : products without a type; null: the whole shop
  product_type text,
  -- the Monday after the last week that was read
  week date not null,
  -- seasonal indices of 52 weeks, by the number of the week since 5 January 1970
  indices double precision[] not null,
  -- errors of the models in backtests, by pattern of demand
  errors jsonb not null,
  -- mean units of a variant in the weeks after its first day
  launch double precision[] not null,
  -- how many variants had these first weeks
  launches int not null,
  primary key (shop_id, id),
  constraint type_profile_shop_id_product_type_key unique nulls not distinct (shop_id, product_type),
  foreign key (shop_id) references shop (id)
);

-- The forecast of a variant, of all locations (null) or of one that a rule names.
create table variant_forecast (
  shop_id bigint,
  id bigint generated always as identity,
  variant_id bigint not null,
  location_id bigint,
  -- the Monday of the first week ahead
  week date not null,
  model text not null,
  weights jsonb not null,
  parameters jsonb not null,
  -- of the backtest; null: not known
  wape double precision,
  bias double precision,
  -- units of the weeks ahead, with events and growth
  units double precision[] not null,
  -- of one week
  standard_error double precision not null,
  -- a new product: the numbers are those of its type
  is_of_type boolean not null default false,
  -- demand or events changed since
  is_stale boolean not null default false,
  computed_at timestamptz not null,
  primary key (shop_id, id),
  constraint variant_forecast_shop_id_variant_id_location_id_key unique nulls not distinct (shop_id, variant_id, location_id),
  foreign key (shop_id, location_id) references location (shop_id, id),
  foreign key (shop_id, variant_id) references variant (shop_id, id)
);

-- What was forecast for past weeks, to say later how wrong it was.
create table forecast_week (
  shop_id bigint,
  variant_id bigint,
  week date,
  units double precision not null,
  primary key (shop_id, week, variant_id),
  foreign key (shop_id, variant_id) references variant (shop_id, id)
);
create index forecast_week_shop_id_variant_id_idx on forecast_week (shop_id, variant_id);

-- What a person expects of a variant: it replaces the computed forecast.
create table forecast_entry (
  shop_id bigint,
  variant_id bigint,
  -- null: the person took the number back
  units_per_week numeric(12,2) check (units_per_week >= 0),
  version int not null default 1,
  entered_by text not null,
  entered_at timestamptz not null,
  primary key (shop_id, variant_id),
  foreign key (shop_id, variant_id) references variant (shop_id, id)
);

-- Imports: files of other systems, what their rows became, and orders of the past.
create table import (
  shop_id bigint,
  id bigint generated always as identity,
  -- null: the worker has not guessed it yet; archive: the sheets have kinds of their own
  kind text,
  state text not null default 'uploading',
  file_name text not null,
  -- of the whole file, in hexadecimal
  file_sha256 text,
  -- what was read: names, columns with samples, delimiter, encoding, and the mapping of columns to fields
  sheets jsonb not null default '[]',
  defaults jsonb not null default '{}',
  -- null: not rehearsed since the last change
  summary jsonb,
  progress numeric(4,3) not null default 0 check (progress >= 0 and progress <= 1),
  error text not null default '',
  created_by text not null,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  reverted_at timestamptz,
  primary key (shop_id, id),
  foreign key (shop_id) references shop (id),
  constraint import_kind_check
    check (kind in ('suppliers', 'supplier_products', 'purchase_orders', 'receipts', 'costs', 'stock_counts', 'adjustments', 'reorder_rules', 'archive')),
  constraint import_state_check check (state in ('uploading', 'reading', 'ready', 'checking', 'running', 'done', 'failed', 'reverting', 'reverted'))
);

-- Parts of at most 512 kB, removed after 30 days.
create table import_file (
  shop_id bigint,
  import_id bigint,
  part int check (part >= 0),
  bytes bytea not null check (length(bytes) <= 524288),
  created_at timestamptz not null default now(),
  primary key (shop_id, import_id, part),
  foreign key (shop_id, import_id) references import (shop_id, id) on delete cascade
);
create index import_file_created_at_idx on import_file (created_at);

-- The rows of the sheets, and the outcome of the last rehearsal or run.
create table import_row (
  shop_id bigint,
  import_id bigint,
  position int not null,
  sheet int not null,
  row int not null,
  -- the cells, in the order of the sheet's columns
  raw jsonb not null,
  state text not null default 'pending' check (state in ('pending', 'new', 'same', 'changed', 'skipped', 'fault', 'kept', 'reverted')),
  message text not null default '',
  target text,
  target_id bigint,
  primary key (shop_id, import_id, "position"),
  foreign key (shop_id, import_id) references import (shop_id, id) on delete cascade
);
create index import_row_state on import_row (shop_id, import_id, state, "position");

-- What a run made or filled in, so that the merchant can take it back; of records that were here before, the fields that it filled.
create table import_target (
  shop_id bigint,
  import_id bigint,
  target text,
  target_id bigint,
  -- the order of which a line was added
  parent_id bigint,
  version int,
  -- what was stored before
  before jsonb,
  primary key (shop_id, import_id, target, target_id),
  foreign key (shop_id, import_id) references import (shop_id, id) on delete cascade,
  constraint import_target_target_check
    check (target in ('supplier', 'supplier_product', 'purchase_order', 'purchase_order_line', 'stock_count', 'cost', 'receipt', 'past_adjustment', 'reorder_rule', 'filled_supplier', 'filled_purchase_order'))
);
-- The lines that imports added to an order: each batch of an import or a revert reads those of its orders.
create index import_target_parent on import_target (shop_id, parent_id) where parent_id is not null;
create index import_target_shop_id_target_target_id_idx on import_target (shop_id, target, target_id);

-- Everything of a shop as one ZIP file: the job that writes it.
create table export (
  shop_id bigint,
  id bigint generated always as identity,
  state text not null default 'running' check (state in ('running', 'done', 'failed')),
  -- the attempt that may write: each attempt begins the file again
  attempt int not null default 0,
  progress numeric(4,3) not null default 0 check (progress >= 0 and progress <= 1),
  file_name text not null default '',
  file_count int not null default 0,
  row_count bigint not null default 0,
  size bigint not null default 0,
  sha256 bytea,
  error text not null default '',
  created_by text not null,
  created_at timestamptz not null,
  -- when a part or the end was stored: an export without progress gets another job
  progressed_at timestamptz not null,
  finished_at timestamptz,
  primary key (shop_id, id),
  foreign key (shop_id) references shop (id),
  constraint export_done_has_hash check ((state = 'done') = (sha256 is not null))
);
create index export_created_at_idx on export (created_at);
create unique index export_running on export (shop_id) where state = 'running';

-- The file in parts.
create table export_part (
  shop_id bigint,
  export_id bigint,
  -- from 0, without gaps
  part int check (part >= 0),
  bytes bytea not null check (octet_length(bytes) >= 1 and octet_length(bytes) <= 524288),
  primary key (shop_id, export_id, part),
  foreign key (shop_id, export_id) references export (shop_id, id) on delete cascade
);
-- images and PDFs are compressed already, and so are the parts of a ZIP file
alter table export_part alter column bytes set storage external;

-- Variants that run out before goods arrive, in total (null) or at a location with a reorder rule. The row keeps the place in the list; the
-- numbers are computed when it is read.
create table stock_gap (
  shop_id bigint,
  id bigint generated always as identity,
  variant_id bigint not null,
  location_id bigint,
  gap_on date not null,
  -- null: nothing is on its way
  next_arrival_on date,
  -- the largest loss first, then those without a price
  rank bigint not null,
  primary key (shop_id, id),
  constraint stock_gap_shop_id_variant_id_location_id_key unique nulls not distinct (shop_id, variant_id, location_id),
  foreign key (shop_id, location_id) references location (shop_id, id),
  foreign key (shop_id, variant_id) references variant (shop_id, id)
);
create index stock_gap_before_arrival on stock_gap (shop_id, variant_id) where next_arrival_on is not null;
create index stock_gap_list on stock_gap (shop_id, rank, id);

-- Pieces above the demand of so many days.
create table overstock (
  shop_id bigint,
  cover_days int,
  variant_id bigint,
  stock int not null,
  -- the demand of these days
  demand double precision not null,
  pieces int not null check (pieces > 0),
  unit_cost numeric(19,4),
  -- in the currency of the shop; null: the cost is not known
  value numeric(24,3),
  -- the most money first, then those without a cost
  rank bigint not null,
  primary key (shop_id, cover_days, variant_id),
  foreign key (shop_id, variant_id) references variant (shop_id, id)
);
create index overstock_list on overstock (shop_id, cover_days, rank, variant_id);
create index overstock_shop_id_variant_id_idx on overstock (shop_id, variant_id);

-- What was not sold in so many days before the night, since the variant had no stock at any location.
create table lost_sale (
  shop_id bigint,
  period_days int,
  variant_id bigint,
  days_without_stock int not null,
  days_known int not null,
  sold_units int not null,
  lost_units double precision not null,
  -- at the price of the night; null: the price is not known
  lost_revenue numeric(24,3),
  -- the largest loss first, then those without a price
  rank bigint not null,
  primary key (shop_id, period_days, variant_id),
  foreign key (shop_id, variant_id) references variant (shop_id, id)
);
create index lost_sale_list on lost_sale (shop_id, period_days, rank, variant_id);
create index lost_sale_shop_id_variant_id_idx on lost_sale (shop_id, variant_id);

-- The forecast of all variants by week, at cost.
create table forecast_need (
  shop_id bigint,
  -- its Monday
  week date,
  -- in the currency of the shop
  value numeric(24,3) not null,
  -- units of variants without a known cost
  uncosted_units double precision not null,
  primary key (shop_id, week),
  foreign key (shop_id) references shop (id)
);

-- What a buyer may spend.
create table buying_budget (
  shop_id bigint,
  id bigint generated always as identity,
  name text not null check (name <> ''),
  -- null: the orders of all suppliers
  supplier_id bigint,
  starts_on date not null,
  ends_on date not null,
  -- in the currency of the shop
  amount numeric(15,3) not null check (amount > 0),
  version int not null default 1,
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (shop_id, id),
  foreign key (shop_id) references shop (id),
  foreign key (shop_id, supplier_id) references supplier (shop_id, id),
  constraint buying_budget_dates check (ends_on >= starts_on)
);
create index buying_budget_shop_id_supplier_id_idx on buying_budget (shop_id, supplier_id);

-- What another system corrected before the shop moved in: history, since what remained is in the stock that was read.
create table past_adjustment (
  shop_id bigint,
  id bigint generated always as identity,
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
  constraint past_adjustment_shop_id_fingerprint_key unique (shop_id, fingerprint),
  foreign key (shop_id) references shop (id),
  foreign key (shop_id, location_id) references location (shop_id, id),
  foreign key (shop_id, variant_id) references variant (shop_id, id)
);
create index past_adjustment_newest on past_adjustment (shop_id, adjusted_at desc, id desc);
create index past_adjustment_of_variant on past_adjustment (shop_id, variant_id, adjusted_at desc, id desc);

-- The daily digest by e-mail: the merchant's settings. A settings page that is older than an unsubscription must not add the recipient
-- again.
create table digest_setting (
  shop_id bigint,
  is_on boolean not null default false,
  -- of the shop's day
  hour smallint not null default 8 check (hour >= 0 and hour <= 23),
  recipients text[] not null default '{}' check (cardinality(recipients) <= 5),
  -- no digest of an earlier day: the hour of the day before had passed when the merchant turned the digest on
  first_day date not null,
  updated_at timestamptz not null,
  version int not null default 1,
  primary key (shop_id),
  foreign key (shop_id) references shop (id),
  constraint digest_has_recipient check ((not is_on) or cardinality(recipients) > 0)
);
create index digest_setting_shop_id_idx on digest_setting (shop_id) where is_on;

-- One digest per shop and day. One without a day is a test: a shop may have several.
create table digest (
  shop_id bigint,
  id bigint generated always as identity,
  -- of the shop; the unique key makes sure that several workers make one digest
  day date,
  state text not null default 'due' check (state in ('due', 'made', 'nothing_new', 'skipped')),
  -- what the mails contain; only of a digest with mails
  content jsonb,
  -- the keys of all that needed attention, of the newest computed digest: what is in here is not new the next day
  seen text[],
  created_at timestamptz not null,
  primary key (shop_id, id),
  constraint digest_shop_id_day_key unique (shop_id, day),
  foreign key (shop_id) references shop (id)
);
create index digest_created_at_idx on digest (created_at);

-- States as in outgoing_mail; withdrawn: the recipient was removed before the mail was sent.
create table digest_mail (
  shop_id bigint,
  id bigint generated always as identity,
  digest_id bigint not null,
  recipient text not null,
  -- metadata of the mail, by which the mail service finds it
  reference uuid not null default gen_random_uuid(),
  state text not null default 'queued' check (state in ('queued', 'sending', 'sent', 'failed', 'unknown', 'withdrawn')),
  reason text not null default '',
  message_id text not null default '',
  -- the last request to the mail service
  requested_at timestamptz,
  request_count int not null default 0,
  settled_at timestamptz,
  primary key (shop_id, id),
  constraint digest_mail_shop_id_digest_id_recipient_key unique (shop_id, digest_id, recipient),
  foreign key (shop_id, digest_id) references digest (shop_id, id) on delete cascade
);

-- Filters, sort and columns of a list under a name.
create table list_view (
  shop_id bigint,
  id bigint generated always as identity,
  list text not null,
  name text not null,
  -- filters and sort as in the address of the page, and the shown columns
  state jsonb not null,
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (shop_id, id),
  foreign key (shop_id) references shop (id)
);
create unique index list_view_name on list_view (shop_id, list, lower(name));

-- A file that set or adjusted levels, with what it changed: a revert adds the opposite.
create table stock_import (
  shop_id bigint,
  id bigint generated always as identity,
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
  reverted_count int,
  primary key (shop_id, id),
  foreign key (shop_id) references shop (id)
);

-- The logo, as our own encoder wrote it. One that a mailed document shows is kept after another has taken its place.
create table shop_logo (
  shop_id bigint,
  id bigint generated always as identity,
  is_current boolean not null default true,
  width int not null check (width >= 1 and width <= 640),
  height int not null check (height >= 1 and height <= 224),
  sha256 bytea not null,
  bytes bytea not null check (octet_length(bytes) >= 1 and octet_length(bytes) <= 524288),
  created_by text not null,
  created_at timestamptz not null default now(),
  primary key (shop_id, id),
  foreign key (shop_id) references shop (id)
);
-- images and PDFs are compressed already, and so are the parts of a ZIP file
alter table shop_logo alter column bytes set storage external;
create unique index shop_logo_current on shop_logo (shop_id) where is_current;

-- One row for each e-mail of an order to its supplier. A mail is sent at most once: when the response of the mail service is lost, the
-- worker searches the service for the mail's `reference`. When its job was deleted or has no attempts left, the mail is not sent
-- automatically.
create table outgoing_mail (
  shop_id bigint,
  id bigint generated always as identity,
  purchase_order_id bigint not null,
  send_no int not null,
  reference uuid not null default gen_random_uuid(),
  recipient text not null,
  state text not null check (state in ('queued', 'no_recipient', 'sending', 'sent', 'failed', 'unknown')),
  reason text not null default '',
  message_id text not null default '',
  created_by text not null,
  created_at timestamptz not null default now(),
  -- the last request to the mail service
  requested_at timestamptz,
  settled_at timestamptz,
  queue_job_id bigint,
  -- the number of requests to the mail service
  request_count int not null default 0,
  -- the order document at the time of sending; null without a recipient, and for mails of early releases
  content jsonb,
  -- of the attachment in the last request to the mail service, in hexadecimal; null before the first one
  pdf_sha256 text check (pdf_sha256 ~ '^[0-9a-f]{64}$'),
  kind text not null default 'purchase_order' check (kind in ('purchase_order', 'revision')),
  -- null: `recipient` alone
  recipients text[],
  cc text[] not null default '{}',
  -- null: the words of the language
  subject text,
  body text,
  attach_csv boolean not null default false,
  -- of its documents
  logo_id bigint,
  is_own_to boolean,
  is_own_cc boolean,
  primary key (shop_id, id),
  constraint outgoing_mail_shop_id_purchase_order_id_send_no_key unique (shop_id, purchase_order_id, send_no),
  constraint outgoing_mail_logo_fkey foreign key (shop_id, logo_id) references shop_logo (shop_id, id),
  foreign key (shop_id, purchase_order_id) references purchase_order (shop_id, id) on delete cascade
);
create index outgoing_mail_logo on outgoing_mail (shop_id, logo_id) where logo_id is not null;
create index outgoing_mail_undelivered on outgoing_mail (shop_id, purchase_order_id) where state in ('failed', 'unknown');
-- metrics count these few rows at every scrape
create index outgoing_mail_unknown on outgoing_mail (settled_at) where state = 'unknown';

-- What the margin report shows of the periods that end today, so that it need not sum their sales.
create table margin_period (
  shop_id bigint,
  -- 7, 30 or 90, and the first instant of the period, as of the last night
  days int,
  starts_at timestamptz not null,
  primary key (shop_id, days),
  foreign key (shop_id) references shop (id)
);

-- What the sales of a variant in a period earned, unrounded.
create table variant_margin (
  shop_id bigint,
  days int,
  variant_id bigint,
  -- without those that came back
  units bigint not null,
  revenue numeric not null,
  -- of the units with a cost; null: no unit has one
  cost numeric,
  costed_units bigint,
  costed_revenue numeric,
  -- the highest margin first, then those without a cost by revenue
  rank bigint not null,
  primary key (shop_id, days, variant_id),
  foreign key (shop_id, variant_id) references variant (shop_id, id)
);
create index variant_margin_list on variant_margin (shop_id, days, rank, variant_id) where units > 0;
create index variant_margin_shop_id_variant_id_idx on variant_margin (shop_id, variant_id);

-- A deletion of a location that the shop does not have: its webhook may arrive before that of the creation. A known location stays in
-- "location", out of use.
create table location_deletion (
  shop_id bigint,
  gid text,
  deleted_at timestamptz not null,
  primary key (shop_id, gid),
  foreign key (shop_id) references shop (id)
);

-- References of tables to later ones, and checks that are not validated.
alter table variant add constraint variant_cost_source_check check (cost_source in ('platform', 'receipt', 'import', 'manual')) not valid;
