-- The alerts that a merchant wants. It controls which alerts are raised; open alerts do not change.

create table alert_configuration (
  shop_id bigint primary key references shop,
  low_stock_alerts boolean not null default true,
  overdue_po_alerts boolean not null default true,
  -- a low-stock alert is raised below the reorder point plus this percentage of it
  alert_threshold_percent numeric(6, 2) not null default 0 check (alert_threshold_percent between 0 and 1000),
  updated_at timestamptz not null default now()
);

-- The products that the dashboard counts: reported by the platform and not deleted. A repeated update of a product
-- changes none of the index's columns, so that it does not make catalogue writes slower.
create index product_shown on product (shop_id) where deleted_at is null and status <> '';
