-- How many products and low reorder rules a shop has, without going through all of them whenever somebody looks.

-- What was counted at night. Rows keep what they were then, and indexes find those that are something else by now; so
-- nobody who changes a row has to wait for anybody else's count (`shared/domain/reports/tallies.ts`).
create table shop_tally (
  shop_id bigint primary key references shop,
  products int not null default 0,
  low_rules int not null default 0,
  -- null: never yet
  tallied_at timestamptz
);

-- it was told and not deleted
alter table product add column is_tallied boolean not null default false;
-- it was low
alter table reorder_rule add column is_tallied boolean not null default false;
-- it was deleted or not counted by the platform
alter table variant add column is_aside boolean not null default false;

create index product_untallied on product (shop_id, is_tallied)
  where (deleted_at is null and status <> '') <> is_tallied;
create index reorder_rule_untallied on reorder_rule (shop_id, variant_id, is_tallied) where is_low <> is_tallied;
create index variant_untallied on variant (shop_id, id) where (deleted_at is not null or not is_tracked) <> is_aside;
