-- What the lines of a sent order say: status, subtotal and tax. `is_withdrawn`: nothing arrived, and all that was ordered is cancelled; the
-- status is `sent`, since a revision may still raise a quantity. Locks nothing; a caller that writes the result has locked the order. Postgres
-- inlines the function, and in a sub-select it computes only the columns that are read.
-- Example: lines of 10 and 5: with 10 and 0 accepted `partial`, with 10 accepted and 5 cancelled `received`.
-- Why SQL: atomic with the ledger: a receipt settles its order in the transaction that moves the stock (`settle_order`).
create or replace function order_state(in_shop bigint, in_order bigint)
returns table (
  status text, has_arrived boolean, is_withdrawn boolean, line_count bigint, subtotal numeric, tax numeric, minor_digits int
)
language sql
stable rows 1
as $$
  select case
      when line.has_arrived and line.is_outstanding then 'partial'
      when line.has_arrived then 'received'
      else 'sent'
    end,
    line.has_arrived, line.has_cancelled and not line.has_arrived and not line.is_outstanding, line.count, line.subtotal, line.tax,
    line.minor_digits
  from (
    select coalesce(bool_or(l.accepted > 0 or l.credited > 0), false) as has_arrived,
      bool_or(l.quantity > l.accepted + l.cancelled) as is_outstanding,
      coalesce(bool_or(l.cancelled > 0), false) as has_cancelled,
      count(*) as count,
      coalesce(sum(l.line_total), 0) as subtotal,
      coalesce(sum(round(l.line_total * l.tax_rate / 100, l.minor_digits)), 0) as tax,
      max(l.minor_digits)::int as minor_digits
    from purchase_order_line l
    where l.shop_id = in_shop and l.purchase_order_id = in_order
  ) line
$$;
