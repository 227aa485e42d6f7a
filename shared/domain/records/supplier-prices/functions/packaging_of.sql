-- The row of a supplier's catalogue that a line uses: the active one with the given SKU, or the best-ranked active one when the SKU is
-- null. No row when the catalogue does not have the variant. Locks nothing. Postgres puts this query into the statement that calls it.
-- Why SQL: as part of `look_up_order`, whose plan a session keeps.
create or replace function packaging_of(in_shop bigint, in_variant bigint, in_supplier bigint, in_sku text)
returns table (id bigint, supplier_sku text, pack_size int, minimum_quantity int, quantity_multiple int, lead_time_days int)
language sql
stable
as $$
  select x.id, x.supplier_sku, x.pack_size, x.minimum_quantity, x.quantity_multiple, x.lead_time_days
  from supplier_product x
  where x.shop_id = in_shop and x.variant_id = in_variant and x.supplier_id = in_supplier and x.is_active
    and (in_sku is null or x.supplier_sku = in_sku)
  order by x.rank, x.id
  limit 1
$$;
