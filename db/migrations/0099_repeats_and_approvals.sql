-- A repeated shipment or receipt of a transfer is recognised for as long as its event exists: the stored answer of its key lasts 24 hours,
-- and a scanner may repeat a request whose answer was lost when it is opened again after a weekend.
alter table stock_transfer_event
  -- of the request that wrote the event; null: it had none, or a process of the previous release wrote it
  add column idempotency_key text;

-- An approval is one of certain variances: corrections of the levels may change them before the count is submitted.
alter table stock_count
  -- the variances that were approved (`variancesOf`); null: not approved, or by the previous release, whose approval stays valid
  add column approved_variances text;
