-- Orders say when and by whom they were cancelled. `updated_at` changes with the invoice, too. The previous release writes
-- neither column.
alter table purchase_order
  add column cancelled_at timestamptz,
  add column cancelled_by text;
