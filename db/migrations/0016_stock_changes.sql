-- Our own changes of stock on their way to the platform. A level's `quantity - platform_quantity` is the sum of the
-- lines here that are not done.

create table stock_push (
  shop_id bigint not null references shop,
  id bigint generated always as identity,
  -- whether the platform is told how many more or fewer there are, or how many there are
  form text not null check (form in ('adjust', 'set')),
  -- one of the reasons that the platform knows
  reason text not null,
  -- the document behind it, as in purchase_order/42
  reference text not null default '',
  -- queued: nothing of it is under way; sending: nobody knows yet whether the platform has taken it
  state text not null default 'queued' check (state in ('queued', 'sending', 'done', 'failed', 'discarded')),
  -- the platform does once what it is asked with one key; renewed when it has certainly refused
  idempotency_key uuid not null default gen_random_uuid(),
  -- what was asked with this key, word for word
  request jsonb,
  refusals int not null default 0,
  -- in words for the merchant
  error text not null default '',
  -- the job that works on it
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

-- Removed once the platform has answered: the movement stays.
create table stock_push_line (
  shop_id bigint not null,
  push_id bigint not null,
  variant_id bigint not null,
  location_id bigint not null,
  delta int not null,
  -- when the number was seen on the shelf: what the platform tells from before then is part of it
  counted_at timestamptz,
  primary key (shop_id, push_id, variant_id, location_id),
  foreign key (shop_id, push_id) references stock_push (shop_id, id) on delete cascade,
  foreign key (shop_id, variant_id, location_id) references stock_level (shop_id, variant_id, location_id)
);

create index on stock_push_line (shop_id, variant_id, location_id, push_id);

alter table stock_level
  -- the platform's newest news, kept while a change of ours is under way; applied when that is answered. Without a
  -- number the platform does not count the variant
  add column held_quantity int,
  add column held_at timestamptz,
  -- what the platform answered to changes of ours within its last second: their echoes are no news
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
-- what people did, among all that the platform tells
create index on stock_movement (shop_id, kind, occurred_at desc, id desc) where kind <> 'platform';
create index on stock_movement (shop_id, occurred_at desc, id desc) where kind in ('set', 'delta', 'count');
