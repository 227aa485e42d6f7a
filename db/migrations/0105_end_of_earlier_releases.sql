-- What served processes of releases that no deploy starts from any more:
-- the status of a transfer without the pieces of its lines (migration 48), and webhooks that are stored whole (migration 35).
drop trigger follow_transfer_status on stock_transfer;
drop function follow_transfer_status();
drop function store_deliveries(text[], text[], text[], integer[], text[], text[], timestamptz[], integer[], text[], bytea, integer, integer);

-- The primary key has the same columns.
drop index demand_event_shop_id_id_idx;
