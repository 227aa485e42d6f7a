-- What served processes of releases that no deploy starts from any more:
-- the status of a transfer without the pieces of its lines (migration 48), webhooks that are stored whole (migration 35), and the cost of
-- a receipt without its source (migration 39).
drop trigger follow_transfer_status on stock_transfer;
drop function follow_transfer_status();
drop function store_deliveries(text[], text[], text[], integer[], text[], text[], timestamptz[], integer[], text[], bytea, integer, integer);

update variant
set cost_source = 'receipt'
where cost_source = 'platform' and unit_cost is distinct from platform_cost and unit_cost is not null and pushed_at is null;

-- The primary key has the same columns.
drop index demand_event_shop_id_id_idx;
