-- Webhook deliveries of the platform, unchanged. A delivery is stored before it is acknowledged. Jobs apply it, and it
-- stays stored, so that it can be replayed.

create table webhook_delivery (
  shop_id bigint not null references shop,
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
  primary key (shop_id, id),
  unique (shop_id, webhook_id)
);

create index on webhook_delivery (shop_id, state, id);
create index on webhook_delivery (received_at);

-- Sales, one row per order line, so that a repeated webhook of an order counts once.
create table sale (
  shop_id bigint not null references shop,
  order_gid text not null,
  line_gid text not null,
  variant_gid text not null,
  quantity int not null,
  ordered_at timestamptz not null,
  created_at timestamptz not null default now(),
  primary key (shop_id, order_gid, line_gid)
);

create index on sale (shop_id, variant_gid, ordered_at) include (quantity);
create index on sale (shop_id, ordered_at);
