-- Adds the accepted pieces to the lines of an order, settles the order, and writes the receipt with its lines. Returns the settled order and
-- the receipt. The caller has locked the order, and checked the pieces.
-- 1. Change the lines and the order (`receive_lines`).
-- 2. Write the receipt with the order's new status, and its lines.
-- Why SQL: atomic with the ledger; as a function its statements keep their plans, and the keys of the lines are checked by index: until a
-- shop has some hundred receipts, Postgres prefers to read all of them for each line (docs/performance.md, "The price of costs").
create or replace function insert_receipt(
  in_shop bigint, in_order bigint, in_location bigint, in_notes text, in_fingerprint bytea, in_actor text, line_ids bigint[],
  pieces int[], stocked boolean[]
)
returns table (id bigint, status text, received_at timestamptz, receipt_id bigint)
language plpgsql
rows 1
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  received record;
  new_receipt bigint;
begin
  select * into received
  from receive_lines(in_shop, in_order, line_ids, pieces, array_fill(0, array[cardinality(line_ids)]));
  insert into receipt (shop_id, purchase_order_id, location_id, notes, fingerprint, status_after, created_by)
  values (in_shop, in_order, in_location, in_notes, in_fingerprint, received.status, in_actor)
  returning id into new_receipt;
  insert into receipt_line (shop_id, receipt_id, purchase_order_line_id, quantity, is_stocked)
  select in_shop, new_receipt, line.id, line.quantity, line.is_stocked
  from unnest(line_ids, pieces, stocked) as line (id, quantity, is_stocked);
  return query select received.id, received.status, received.received_at, new_receipt;
end
$$;
