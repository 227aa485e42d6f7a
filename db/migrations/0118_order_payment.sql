-- The list of orders is filtered by payment. A page reads its own orders in the index of its filter, and not those of the whole shop.
-- An order without invoice number, invoice date, day of payment and payment is in none of the three.
create index purchase_order_unpaid on purchase_order (shop_id, id desc)
  where paid_at is null and (invoice_number <> '' or invoice_date is not null or payment_due_on is not null);
-- for the overdue ones: imported orders may have an invoice and no day of payment
create index purchase_order_payment_due on purchase_order (shop_id, id desc)
  where paid_at is null and payment_due_on is not null;
create index purchase_order_paid on purchase_order (shop_id, id desc) where paid_at is not null;
