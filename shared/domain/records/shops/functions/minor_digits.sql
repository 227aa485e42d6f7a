-- The decimals of a currency (ISO 4217): 2, if it is in no list. `shared/currency.ts` has the same lists. Locks nothing and reads no table.
-- Example: JPY 0, EUR 2, KWD 3.
-- Why SQL: atomic with the ledger: `charge_shares` rounds to these decimals while receipts are booked, and reports round their sums.
create or replace function minor_digits(currency text)
returns int
language sql
immutable parallel safe
as $$
  select case
    when currency in (
      'BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF'
    ) then 0
    when currency in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') then 3
    else 2
  end
$$;
