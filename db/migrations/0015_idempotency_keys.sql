-- The first answer to a request that named a key, written in the transaction of its effect: sent again, the same
-- request gets the same answer. Kept for 24 hours.

create table idempotency_key (
  shop_id bigint not null references shop,
  key text not null,
  -- of method, address and body: a key belongs to one request
  request_hash bytea not null,
  -- null only inside the transaction that works on it
  status int,
  body text,
  created_at timestamptz not null default now(),
  primary key (shop_id, key)
);

create index on idempotency_key (created_at);
