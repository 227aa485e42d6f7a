-- Suppliers and their contacts. An empty string means "not given".

create table supplier (
  shop_id bigint not null references shop,
  id bigint generated always as identity,
  name text not null check (name <> ''),
  email text not null default '',
  phone text not null default '',
  address text not null default '',
  lead_time_days int check (lead_time_days >= 0),
  payment_terms text not null default '',
  notes text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- a supplier with orders is archived instead of deleted
  archived_at timestamptz,
  primary key (shop_id, id)
);

create index supplier_list on supplier (shop_id, id desc) where archived_at is null;

create table supplier_contact (
  shop_id bigint not null,
  id bigint generated always as identity,
  supplier_id bigint not null,
  name text not null check (name <> ''),
  email text not null default '',
  phone text not null default '',
  role text not null default '',
  primary key (shop_id, id),
  foreign key (shop_id, supplier_id) references supplier (shop_id, id) on delete cascade
);

create index on supplier_contact (shop_id, supplier_id);
