-- The list of orders is filtered by payment. Few orders of a shop wait for theirs, or few are paid: a page of either reads its own
-- orders, and not those of the whole shop. Orders without an invoice are in neither index.
create index purchase_order_unpaid on purchase_order (shop_id, id desc)
  where paid_at is null and (invoice_number <> '' or invoice_date is not null or payment_due_on is not null);
create index purchase_order_paid on purchase_order (shop_id, id desc) where paid_at is not null;
