-- Budgets in currencies with three decimals, and indexes of what the spend, the budgets and the routes of transfers read.

alter table buying_budget alter column amount type numeric(15, 3);

-- lines without a cost, and lines with pieces that will not come, by order
create index purchase_order_line_unknown_cost on purchase_order_line (shop_id, purchase_order_id) where not is_cost_known;
create index purchase_order_line_cancelled on purchase_order_line (shop_id, purchase_order_id) where cancelled > credited;

-- receipts that count in the spend, by the day on which they do
create index receipt_posted on receipt (shop_id, coalesce(posted_at, created_at))
  where state = 'posted' and reversed_at is null;

-- the last completed transfers of a route
create index stock_transfer_route on stock_transfer (shop_id, source_location_id, destination_location_id, completed_at desc, id desc)
  where status = 'completed' and shipped_at is not null and completed_at is not null;
