-- The rate of an order: 1 of its currency in the shop's; 1 for the shop's own, null when it is not known. Locks nothing.
-- Example: an order in USD of a shop in EUR with the rate 0.90: 0.90.
-- Why SQL: atomic with the ledger: corrected costs of a receipt are booked at this rate.
create or replace function receipt_rate(in_shop bigint, in_order bigint)
returns numeric
language plpgsql
stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  return (
    select case when coalesce(o.currency, t.currency, 'USD') = coalesce(t.currency, 'USD') then 1 else o.rate end
    from purchase_order o
    left join shop_setting t on t.shop_id = in_shop
    where o.shop_id = in_shop and o.id = in_order
  );
end
$$;
