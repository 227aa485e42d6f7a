-- Counts of a shop's products and low reorder rules for the dashboard, without a scan of all rows for each request.

-- The counts of the last night. Each counted row has a flag with its state at that time; partial indexes find the rows
-- whose state differs now. Writers never update a shared counter row, so they do not wait for each other. Not used since 0030.
create table shop_tally (
  shop_id bigint primary key references shop,
  products int not null default 0,
  low_rules int not null default 0,
  -- null: not counted yet
  tallied_at timestamptz
);

-- at the last count: reported by the platform and not deleted
alter table product add column is_tallied boolean not null default false;
-- at the last count: low
alter table reorder_rule add column is_tallied boolean not null default false;
-- at the last count: deleted, or not tracked by the platform
alter table variant add column is_aside boolean not null default false;

create index product_untallied on product (shop_id, is_tallied)
  where (deleted_at is null and status <> '') <> is_tallied;
create index reorder_rule_untallied on reorder_rule (shop_id, variant_id, is_tallied) where is_low <> is_tallied;
create index variant_untallied on variant (shop_id, id) where (deleted_at is not null or not is_tracked) <> is_aside;
