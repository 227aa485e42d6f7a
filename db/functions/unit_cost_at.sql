-- The current text. A migration that changes the function writes it out again; "npm run schema" updates this file.
CREATE OR REPLACE FUNCTION public.unit_cost_at(in_shop bigint, in_variant bigint, cost_source text, cost_at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
begin
  if coalesce(cost_source, 'receipt') <> 'receipt' then
    return cost_at;
  end if;
  return greatest(cost_at, (
    select min(m.occurred_at)
    from last_cost_source(in_shop, in_variant) f
    join cost_movement m on m.shop_id = in_shop and m.receipt_id = f.receipt_id and m.variant_id = in_variant
  ));
end
$function$
