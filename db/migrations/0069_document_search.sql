-- Transfers and counts are found by number, notes, location and the products of their lines.

create index stock_transfer_search on stock_transfer using gin (shop_id, lower('#' || id::text || ' ' || notes) gin_trgm_ops);
create index stock_count_search on stock_count using gin (shop_id, lower('#' || id::text || ' ' || notes) gin_trgm_ops);
-- the documents of a location
create index stock_transfer_source on stock_transfer (shop_id, source_location_id, id desc);
create index stock_transfer_destination on stock_transfer (shop_id, destination_location_id, id desc);
create index stock_count_location on stock_count (shop_id, location_id, id desc);
