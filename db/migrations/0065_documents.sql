-- What documents for suppliers say of the shop: tax number, buyer, paper and logo; and a copy of each order's e-mail.

alter table shop_setting
  -- such as a VAT number
  add column tax_id text,
  -- the name that orders have as "ordered by"
  add column ordered_by text,
  -- null: that of the shop's country
  add column paper text check (paper in ('a4', 'letter')),
  -- gets a copy of each e-mail to a supplier
  add column mail_copy_to text;

-- The logo, as our own encoder wrote it. One that a mailed document shows is kept after another has taken its place.
create table shop_logo (
  shop_id bigint not null references shop,
  id bigint not null generated always as identity,
  is_current boolean not null default true,
  width int not null check (width between 1 and 640),
  height int not null check (height between 1 and 224),
  sha256 bytea not null,
  bytes bytea not null check (octet_length(bytes) between 1 and 524288),
  created_by text not null,
  created_at timestamptz not null default now(),
  primary key (shop_id, id)
);

create unique index shop_logo_current on shop_logo (shop_id) where is_current;

-- a PNG is compressed already
alter table shop_logo alter column bytes set storage external;

alter table outgoing_mail
  -- of its documents
  add column logo_id bigint,
  -- holds for all rows, since the column is new; 0067 reads them all to validate and to index it, without the lock of this transaction
  add constraint outgoing_mail_logo_fkey
    foreign key (shop_id, logo_id) references shop_logo (shop_id, id) not valid;
