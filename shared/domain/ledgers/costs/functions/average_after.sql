-- The moving average after pieces came, left, or became dearer, to 18 decimals. All numbers are of the shop; `value` is the change of the
-- stock's value. Locks nothing and reads no table; the caller has locked the variant.
--   came     (max(on hand, 0) x average + value) / (max(on hand, 0) + quantity)
--   left     (on hand x average + value) / (on hand + quantity), while pieces stay and the result is not below 0; else unchanged
--   dearer   average + value / on hand, while there are pieces and the result is not below 0; else unchanged. An unknown average counts as 0
-- Example: 10 on hand at 2.00, 5 come at 2.60: (20 + 13) / 15 = 2.20. Of these 15, 5 leave with 13: (33 - 13) / 10 = 2.00. A late charge
-- of 1.50 for 15 pieces: 2.20 + 1.50 / 15 = 2.30.
-- Why SQL: atomic with the ledger: every booking computes the next average from the row that it has locked.
create or replace function average_after(on_hand bigint, average numeric, quantity bigint, value numeric)
returns numeric
language sql
immutable parallel safe
as $$
  select case
    when quantity > 0 and (on_hand <= 0 or average is null) then round(value::numeric(60, 30) / quantity, 18)
    when quantity > 0 then round((on_hand * average + value)::numeric(60, 30) / (on_hand + quantity), 18)
    when quantity < 0 and on_hand + quantity > 0 and on_hand * average + value >= 0
      then round((on_hand * average + value)::numeric(60, 30) / (on_hand + quantity), 18)
    when quantity = 0 and on_hand > 0 and average is null then round(value::numeric(60, 30) / on_hand, 18)
    when quantity = 0 and on_hand > 0 and average + value / on_hand >= 0
      then round(average + value::numeric(60, 30) / on_hand, 18)
    else average
  end
$$;
