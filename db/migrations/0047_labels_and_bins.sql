-- Where goods lie in a location, and what the shop prints on labels.

-- A2 before A10, and capitals beside small letters. Equal texts of two spellings stay two texts.
create collation bin_order (provider = icu, locale = 'und-u-kn-true');

create table location_bin (
  shop_id bigint not null,
  variant_id bigint not null,
  location_id bigint not null,
  bin text collate bin_order not null check (bin <> '' and length(bin) <= 40 and bin !~ '[\n\r]'),
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (shop_id, variant_id, location_id),
  foreign key (shop_id, variant_id) references variant (shop_id, id),
  foreign key (shop_id, location_id) references location (shop_id, id)
);

-- The stock list in the order of bins, of one location and of all.
create index location_bin_of_location on location_bin (shop_id, location_id, bin collate bin_order, variant_id);
create index location_bin_of_shop on location_bin (shop_id, bin collate bin_order, variant_id, location_id);

-- The label format, the resolution of the label printer, and what is printed; a missing field has its default.
alter table shop_setting add column label_format jsonb not null default '{}';
