-- Adds accepted and credited pieces to the lines of an order, and settles the order. Credited pieces count as cancelled, too: they are
-- no longer expected. The caller has locked the order, and checked the pieces.
-- 1. Add the pieces to the lines.
-- 2. Set the order's status and the time of the receipt (`settle_order`), and return both.
-- Example: 10 ordered, 7 accepted, 3 rejected and credited: accepted 7, cancelled 3, credited 3, and the order is `received`.
-- Why SQL: atomic with the ledger: the pieces that moved stock are those of the lines.
create or replace function receive_lines(
  in_shop bigint, in_order bigint, line_ids bigint[], accepted_pieces int[], credited_pieces int[]
)
returns table (id bigint, status text, received_at timestamptz)
language plpgsql
rows 1
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
begin
  update purchase_order_line l
  set accepted = l.accepted + arrived.accepted, cancelled = l.cancelled + arrived.credited,
    credited = l.credited + arrived.credited,
    -- an update that sets no column of the generated `line_total` makes Postgres parse its expression for each row
    quantity = l.quantity
  from unnest(line_ids, accepted_pieces, credited_pieces) as arrived (id, accepted, credited)
  where l.shop_id = in_shop and l.purchase_order_id = in_order and l.id = arrived.id;
  return query select o.id, o.status, o.received_at from settle_order(in_shop, in_order, now()) o;
end
$$;
