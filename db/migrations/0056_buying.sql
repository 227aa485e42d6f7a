-- The stock up to which a reorder rule orders, and what a buyer may spend.

alter table reorder_rule add column max_level int check (max_level between 1 and 1000000000);

create table buying_budget (
  shop_id bigint not null references shop,
  id bigint not null generated always as identity,
  name text not null check (name <> ''),
  -- null: the orders of all suppliers
  supplier_id bigint,
  starts_on date not null,
  ends_on date not null,
  -- in the currency of the shop
  amount numeric(14, 2) not null check (amount > 0),
  version int not null default 1,
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (shop_id, id),
  foreign key (shop_id, supplier_id) references supplier (shop_id, id),
  constraint buying_budget_dates check (ends_on >= starts_on)
);

create index on buying_budget (shop_id, ends_on desc, id desc);
create index on buying_budget (shop_id, supplier_id);
