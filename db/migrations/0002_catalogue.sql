-- Copies of the shop's products. The platform owns the products.

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
  -- null while the variant is known only from an order line; `title` is then the full title from that line
  confirmed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (shop_id, id),
  unique (shop_id, gid),
  foreign key (shop_id, product_id) references product (shop_id, id)
);

create index on variant (shop_id, product_id);
