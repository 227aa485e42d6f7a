-- One row for each time a merchant sends an order to its supplier. A mail leaves at most once: the row says how
-- far it came, and `reference` is what the mail service is asked for when nobody knows whether it was taken.

create table outgoing_mail (
  shop_id bigint not null,
  id bigint generated always as identity,
  purchase_order_id bigint not null,
  send_no int not null,
  reference uuid not null default gen_random_uuid(),
  recipient text not null,
  state text not null
    check (state in ('queued', 'no_recipient', 'sending', 'sent', 'failed', 'unknown')),
  reason text not null default '',
  message_id text not null default '',
  created_by text not null,
  created_at timestamptz not null default now(),
  -- when the mail service was last asked to take it
  requested_at timestamptz,
  settled_at timestamptz,
  primary key (shop_id, id),
  unique (shop_id, purchase_order_id, send_no),
  foreign key (shop_id, purchase_order_id) references purchase_order (shop_id, id) on delete cascade
);
