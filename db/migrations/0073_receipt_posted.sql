-- Postgres estimates an expression by the statistics of an index only when the index is not partial.
drop index receipt_posted;
create index receipt_posted on receipt (shop_id, coalesce(posted_at, created_at));
