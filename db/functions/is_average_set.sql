-- The current text. A migration that changes the function writes it out again; "npm run schema" updates this file.
CREATE OR REPLACE FUNCTION public.is_average_set(in_shop bigint, in_variant bigint, after_movement bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (
    select
    from cost_movement m
    where m.shop_id = in_shop and m.variant_id = in_variant and m.id > after_movement
      and m.receipt_id is null and m.supplier_return_id is null and m.quantity = 0 and m.cause <> 'repair'
      and (m.average_after is distinct from m.average_before or m.cause in ('manual', 'import') and m.unit_cost is not null)
  )
$function$
