-- Responses to requests with an idempotency key, stored in the transaction of their effect. A repeated request gets the
-- stored response. Expires after 24 hours.

create table idempotency_key (
  shop_id bigint not null references shop,
  key text not null,
  -- a hash of method, address and body: a key belongs to one request
  request_hash bytea not null,
  -- null only within the transaction that executes the request
  status int,
  body text,
  created_at timestamptz not null default now(),
  primary key (shop_id, key)
);

create index on idempotency_key (created_at);
