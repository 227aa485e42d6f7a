-- The webhook of a deleted location may arrive before that of its creation, which then stored it as a location in use. A deletion of a
-- location that the shop does not have is stored here; a known one stays in "location", out of use.
create table location_deletion (
  shop_id bigint not null references shop,
  gid text not null,
  deleted_at timestamptz not null,
  primary key (shop_id, gid)
);
