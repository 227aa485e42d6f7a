-- What a merchant wants to be told. Switches raising, not what is raised already.

create table alert_configuration (
  shop_id bigint primary key references shop,
  low_stock_alerts boolean not null default true,
  overdue_po_alerts boolean not null default true,
  -- low stock is told below the reorder point plus so many percent of it
  alert_threshold_percent numeric(6, 2) not null default 0 check (alert_threshold_percent between 0 and 1000),
  updated_at timestamptz not null default now()
);

-- What the dashboard counts: products that the platform has told and not deleted. None of its columns changes when the
-- platform tells a product again, so that writing the catalogue costs no more than before.
create index product_shown on product (shop_id) where deleted_at is null and status <> '';
