-- The shop's products as far as we know them. The platform owns them; a row here is a copy.

create table product (
  shop_id bigint not null references shop,
  id bigint generated always as identity,
  gid text not null,
  title text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (shop_id, id),
  unique (shop_id, gid)
);

create table variant (
  shop_id bigint not null,
  id bigint generated always as identity,
  gid text not null,
  product_id bigint not null,
  sku text not null default '',
  title text not null default '',
  -- null while an order line is all we know it from; `title` is then the line's, product and all
  confirmed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (shop_id, id),
  unique (shop_id, gid),
  foreign key (shop_id, product_id) references product (shop_id, id)
);

create index on variant (shop_id, product_id);
