-- The tax of an order from the sum of the taxes of its lines, rounded once to the decimals of the currency. A discount of the order lowers
-- the amount that is taxed. Locks nothing and reads no table.
-- Example: 10 pieces at 10.00 with 20 % tax and a discount of 50.00: 20.00 x (1 - 50 / 100) = 10.00, and the total is 100 - 50 + 10 = 60.00.
-- Why SQL: as part of `insert_order`, which keeps its plans.
create or replace function tax_after_discount(line_taxes numeric, subtotal numeric, discount numeric, minor_digits int)
returns numeric
language sql
immutable
as $$
  select case
    -- a discount above the subtotal violates a constraint of the order
    when subtotal > 0 then round(line_taxes * greatest(subtotal - discount, 0) / subtotal, minor_digits)
    else line_taxes
  end
$$;
