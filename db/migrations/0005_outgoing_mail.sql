-- One row for each e-mail of an order to its supplier. A mail is sent at most once: when the response of the mail
-- service is lost, the worker searches the service for the mail's `reference`.

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
  -- the last request to the mail service
  requested_at timestamptz,
  settled_at timestamptz,
  primary key (shop_id, id),
  unique (shop_id, purchase_order_id, send_no),
  foreign key (shop_id, purchase_order_id) references purchase_order (shop_id, id) on delete cascade
);
