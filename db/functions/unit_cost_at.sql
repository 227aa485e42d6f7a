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
    select m.occurred_at
    from cost_movement m
    where m.shop_id = in_shop and m.variant_id = in_variant and m.cause = 'receipt' and m.receipt_id is not null
    order by m.id desc
    limit 1
  ));
end
$function$
