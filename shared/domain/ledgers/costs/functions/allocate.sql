-- Splits an amount by weights, exactly: the shares add up to the amount, rounded to `digits` decimals. Locks nothing and reads no table.
-- 1. Round each share down to the currency's minor unit.
-- 2. Give the units that are left to the shares with the largest remainders, one each; of equal remainders, to the first.
-- Weights that are all 0 count as equal. No weights have no shares.
-- Example: 10.00 by 1, 1, 1 with 2 digits is 1 000 cents: 333 each, and the first gets the one that is left: 3.34, 3.33, 3.33.
-- Why SQL: atomic with the ledger: `charge_shares` splits the charges of an order while its receipts are booked.
create or replace function allocate(amount numeric, digits int, weights numeric[])
returns numeric[]
language sql
immutable parallel safe
as $$
  with given as (
    select place, case when sum(weight) over () = 0 then 1 else weight end as weight,
      round(amount * 10::numeric ^ digits) as units
    from unnest(weights) with ordinality as w (weight, place)
  ),
  split as (
    select place, units, div(units * weight, sum(weight) over ()) as share,
      mod(units * weight, sum(weight) over ()) as rest
    from given
  ),
  ranked as (
    select place, share, units - sum(share) over () as left_over, row_number() over (order by rest desc, place) as at
    from split
  )
  select coalesce(
    array_agg(round((share + case when at <= left_over then 1 else 0 end) / 10::numeric ^ digits, digits) order by place),
    '{}'
  )
  from ranked
$$;
