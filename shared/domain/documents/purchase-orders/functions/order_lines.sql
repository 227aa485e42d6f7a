-- Reads the lines of an order from JSON, and computes total and tax of each, rounded to the decimals of the order's currency. Locks nothing
-- and reads no table.
-- Example: 3 at 3.335 with 10 % off, 20 % tax, 2 decimals: 3 x 3.335 x 0.9 = 9.0045, so 9.00, and 1.80 tax.
-- Why SQL: as part of `insert_order`, which keeps its plans.
create or replace function order_lines(lines jsonb)
returns table (
  id bigint, "position" int, variant_id bigint, sku text, title text, is_own_sku boolean, is_own_title boolean, quantity int,
  cost_price numeric, is_cost_known boolean, supplier_sku text, pack_size int, discount_percent numeric, tax_rate numeric,
  rounded_up_by int, minor_digits smallint, line_total numeric, line_tax numeric
)
language sql
stable
as $$
  select line.*, amount.line_total, round(amount.line_total * line.tax_rate / 100, line.minor_digits)
  from jsonb_to_recordset(lines) as line (
    id bigint, position integer, variant_id bigint, sku text, title text, is_own_sku boolean, is_own_title boolean, quantity integer,
    cost_price numeric, is_cost_known boolean, supplier_sku text, pack_size integer, discount_percent numeric, tax_rate numeric,
    rounded_up_by integer, minor_digits smallint
  )
  cross join lateral (
    select round(line.quantity * line.cost_price * (1 - line.discount_percent / 100), line.minor_digits) as line_total
  ) amount
$$;
