-- The receipts of a location, and those of a state as lists show it, which serves the list of drafts, too.
create index receipt_location on receipt (shop_id, location_id, id desc);
create index receipt_listed_state on receipt
  (shop_id, (case when reversed_at is not null then 'reversed' else state end), id desc);
drop index receipt_drafts;
