-- Checks the order lines of before 0058. In a transaction of its own: validation takes SHARE UPDATE EXCLUSIVE, so readers and
-- writers go on, while 0058 locks them out until its end. In a database that has validated them, nothing happens.

alter table purchase_order_line validate constraint purchase_order_line_quantity_check;
alter table purchase_order_line validate constraint purchase_order_line_no_cost_check;
