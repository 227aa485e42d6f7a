-- Alerts for the merchant. At most one alert per type and subject is open. A resolved one may be raised again.

create table alert (
  shop_id bigint not null references shop,
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
  primary key (shop_id, id)
);

create unique index alert_open on alert (shop_id, type, subject) where resolved_at is null;
create index on alert (shop_id, id desc) where resolved_at is null;
create index on alert (shop_id, is_read, id desc) where resolved_at is null;
create index on alert (resolved_at) where resolved_at is not null;
