-- The current text. A migration that changes the function writes it out again; "npm run schema" updates this file.
CREATE OR REPLACE FUNCTION public.packaging_of(in_shop bigint, in_variant bigint, in_supplier bigint, in_sku text)
 RETURNS TABLE(id bigint, supplier_sku text, pack_size integer, minimum_quantity integer, quantity_multiple integer, lead_time_days integer)
 LANGUAGE sql
 STABLE
AS $function$
  select x.id, x.supplier_sku, x.pack_size, x.minimum_quantity, x.quantity_multiple, x.lead_time_days
  from supplier_product x
  where x.shop_id = in_shop and x.variant_id = in_variant and x.supplier_id = in_supplier and x.is_active
    and (in_sku is null or x.supplier_sku = in_sku)
  order by x.rank, x.id
  limit 1
$function$
