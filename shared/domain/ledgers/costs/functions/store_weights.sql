-- Stores the weights of an order's lines, once goods have arrived and a charge is split by weight: a weight that is corrected later changes no
-- cost that is booked, until the merchant saves the charge again. Lines with a weight keep it. The caller has locked the variants.
-- Why SQL: atomic with the ledger: the weights are those with which the receipt is booked.
create or replace function store_weights(in_shop bigint, in_order bigint)
returns void
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  update purchase_order_line l
  set weight_grams = v.weight_grams
  from variant v
  where l.shop_id = in_shop and l.purchase_order_id = in_order and l.weight_grams is null
    and v.shop_id = in_shop and v.id = l.variant_id and v.weight_grams > 0
    and exists (
      select from purchase_order_charge c
      where c.shop_id = in_shop and c.purchase_order_id = in_order and c.basis = 'weight'
    )
    and exists (
      select
      from receipt r
      where r.shop_id = in_shop and r.purchase_order_id = in_order and r.state = 'posted' and r.reversed_at is null
    );
end
$$;
