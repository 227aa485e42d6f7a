-- The current text. A migration that changes the function writes it out again; "npm run schema" updates this file.
CREATE OR REPLACE FUNCTION public.store_weights(in_shop bigint, in_order bigint)
 RETURNS void
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
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
$function$
