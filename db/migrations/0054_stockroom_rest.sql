-- The spend reads the lines of receipts that changed what their order costs, which are few.
create index receipt_line_corrected on receipt_line (shop_id, receipt_id)
  where unit_cost is not null or reject_outcome = 'credit';
