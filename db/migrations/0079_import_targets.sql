-- Records that were here before, with the fields in which an import filled in what they lacked: a revert empties these again.
alter table import_target drop constraint import_target_target_check;
alter table import_target add constraint import_target_target_check check (
  target in (
    'supplier', 'supplier_product', 'purchase_order', 'purchase_order_line', 'stock_count', 'cost', 'receipt',
    'past_adjustment', 'reorder_rule', 'filled_supplier', 'filled_purchase_order'
  )
) not valid;
