-- Counts by filter, by several people, blind, with recount and approval; plans that make them; reasons of adjustments.

create table count_plan (
  shop_id bigint not null references shop,
  id bigint generated always as identity,
  location_id bigint not null,
  -- null: every class
  abc_class text check (abc_class in ('A', 'B', 'C')),
  every_days int not null check (every_days between 1 and 366),
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
  foreign key (shop_id, location_id) references location (shop_id, id)
);

create index on count_plan (shop_id, next_on);

alter table stock_count
  -- web hides the expected quantities until the counting is finished
  add column blind boolean not null default false,
  -- which products the merchant asked for; null: the request listed them
  add column filter jsonb,
  add column plan_id bigint,
  -- 1, and one more with each recount
  add column round int not null default 1,
  -- the last recount: round, limits, products, person, time
  add column recount jsonb,
  -- set: counting is finished and the numbers do not change; null again during a recount
  add column finished_at timestamptz,
  add column finished_by text,
  add column approved_at timestamptz,
  add column approved_by text,
  add column reason text not null default '',
  -- the result, stored by the submit; sums of the counted products
  add column expected_pieces bigint,
  add column variance_pieces bigint,
  add column expected_value numeric(38, 3),
  add column variance_value numeric(38, 3),
  add column absolute_variance_value numeric(38, 3),
  add column uncosted_item_count int,
  -- deleting a plan keeps its counts
  add foreign key (shop_id, plan_id) references count_plan (shop_id, id) on delete set null (plan_id);

create index stock_count_open_of_plan on stock_count (shop_id, plan_id) where plan_id is not null;
create index stock_count_submitted on stock_count (shop_id, location_id, submitted_at) where status = 'submitted';

alter table stock_count_item
  -- the round in which the product is to be counted: the count's round for those on the recount list
  add column round int not null default 1,
  -- the cost of a piece when the count ended; null: unknown
  add column unit_cost numeric(38, 18);

-- What each counter counted: a person with a device. The quantity of an item is their sum in its round.
create table stock_count_entry (
  shop_id bigint not null,
  count_id bigint not null,
  variant_id bigint not null,
  round int not null,
  person text not null,
  device text not null default '',
  counted_quantity int not null check (counted_quantity >= 0),
  counted_at timestamptz not null,
  primary key (shop_id, count_id, variant_id, round, person, device),
  foreign key (shop_id, count_id, variant_id)
    references stock_count_item (shop_id, count_id, variant_id) on delete cascade
);

alter table shop_setting
  -- a count whose absolute variance is worth more needs an approval; null: none does
  add column count_approval_value numeric(15, 3) check (count_approval_value >= 0),
  -- null: the default list
  add column adjustment_reasons text[],
  add column adjustment_reason_required boolean not null default false;
