-- Pushes: stock changes of the service that are sent to the platform. `quantity - platform_quantity` of a level is the
-- sum of its lines in pushes that are not done.

create table stock_push (
  shop_id bigint not null references shop,
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
  primary key (shop_id, id)
);

create index on stock_push (shop_id, id) where state in ('queued', 'sending', 'failed');
create index on stock_push (shop_id) where state = 'sending';
create index on stock_push (settled_at) where settled_at is not null;

-- Deleted when the platform has confirmed the push. The movement stays.
create table stock_push_line (
  shop_id bigint not null,
  push_id bigint not null,
  variant_id bigint not null,
  location_id bigint not null,
  delta int not null,
  -- the time of a count: platform updates from before that time are included in the counted quantity
  counted_at timestamptz,
  primary key (shop_id, push_id, variant_id, location_id),
  foreign key (shop_id, push_id) references stock_push (shop_id, id) on delete cascade,
  foreign key (shop_id, variant_id, location_id) references stock_level (shop_id, variant_id, location_id)
);

create index on stock_push_line (shop_id, variant_id, location_id, push_id);

alter table stock_level
  -- the newest platform update that arrived while a push of the level is pending; applied when the push is settled. A
  -- null quantity with a time means that the platform does not track the variant
  add column held_quantity int,
  add column held_at timestamptz,
  -- the quantities that the platform returned for pushes in its last second, to recognise the webhooks they cause
  add column answers int[] not null default '{}',
  add column answered_at timestamptz;

alter table stock_movement
  drop constraint stock_movement_kind_check,
  add constraint stock_movement_kind_check check (
    kind in ('platform', 'receipt', 'reversal', 'transfer', 'count', 'set', 'delta', 'discard', 'repair')
  ) not valid;

alter table stock_movement validate constraint stock_movement_kind_check;

create index on stock_movement (shop_id, occurred_at desc, id desc);
create index on stock_movement (shop_id, location_id, occurred_at desc, id desc);
create index on stock_movement (shop_id, variant_id, occurred_at desc, id desc);
-- changes by people, among the many movements by the platform
create index on stock_movement (shop_id, kind, occurred_at desc, id desc) where kind <> 'platform';
create index on stock_movement (shop_id, occurred_at desc, id desc) where kind in ('set', 'delta', 'count');
