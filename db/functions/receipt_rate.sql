-- The current text. A migration that changes the function writes it out again; "npm run schema" updates this file.
CREATE OR REPLACE FUNCTION public.receipt_rate(in_shop bigint, in_order bigint)
 RETURNS numeric
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
begin
  return (
    select case when coalesce(o.currency, t.currency, 'USD') = coalesce(t.currency, 'USD') then 1 else o.rate end
    from purchase_order o
    left join shop_setting t on t.shop_id = in_shop
    where o.shop_id = in_shop and o.id = in_order
  );
end
$function$
