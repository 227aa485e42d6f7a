-- What a new order names is read by a function, which keeps its plan: planning the statement for ten lines took twice as long as
-- running it.

-- The row of a supplier's catalogue that a line uses: the active one with the given SKU, or the best-ranked active one when the SKU is
-- null. No row when the catalogue does not have the variant. Postgres puts this query into the statement that calls it.
create function packaging_of(in_shop bigint, in_variant bigint, in_supplier bigint, in_sku text)
 returns table(id bigint, supplier_sku text, pack_size integer, minimum_quantity integer, quantity_multiple integer, lead_time_days integer)
 language sql
 stable
as $function$
  select x.id, x.supplier_sku, x.pack_size, x.minimum_quantity, x.quantity_multiple, x.lead_time_days
  from supplier_product x
  where x.shop_id = in_shop and x.variant_id = in_variant and x.supplier_id = in_supplier and x.is_active
    and (in_sku is null or x.supplier_sku = in_sku)
  order by x.rank, x.id
  limit 1
$function$;

-- The supplier's terms, the destination, and the variant and the packaging of each line, in the order of the lines: `variant_gids` and
-- `supplier_skus` are as long as the order; a SKU is null when the line has none. Without a row the supplier is unknown or archived.
-- A destination that is unknown or not in use is null, and a line of a variant that the shop does not have is left out.
create function look_up_order(in_shop bigint, in_supplier bigint, destination text, variant_gids text[], supplier_skus text[])
 returns table(id bigint, currency text, shop_currency text, tax_rate numeric, destination_id bigint, lines jsonb)
 language plpgsql
 stable
 set plan_cache_mode to 'force_generic_plan'
 set enable_seqscan to 'off'
as $function$
begin
  return query
  select s.id, s.currency, coalesce((select g.currency from shop_setting g where g.shop_id = in_shop), 'USD'),
    coalesce(s.default_tax_rate, 0),
    (select l.id from location l where l.shop_id = in_shop and l.gid = destination and l.is_active),
    (
      select coalesce(jsonb_agg(jsonb_build_object(
        'at', input.place - 1,
        'variant', jsonb_build_object(
          'id', v.id, 'gid', v.gid, 'productGid', p.gid, 'sku', v.sku,
          'title', case
            when v.confirmed_at is null then v.title
            when v.title = '' then p.title
            else p.title || ' - ' || v.title
          end,
          'isConfirmed', v.confirmed_at is not null
        ),
        'supplierSku', coalesce(x.supplier_sku, input.supplier_sku, ''), 'packSize', coalesce(x.pack_size, 1),
        'minimumQuantity', x.minimum_quantity, 'quantityMultiple', coalesce(x.quantity_multiple, 1)
      ) order by input.place), '[]')
      from unnest(variant_gids, supplier_skus) with ordinality as input (variant_gid, supplier_sku, place)
      join variant v on v.shop_id = in_shop and v.gid = input.variant_gid
      join product p on p.shop_id = in_shop and p.id = v.product_id
      left join lateral packaging_of(in_shop, v.id, in_supplier, input.supplier_sku) x on true
    )
  from supplier s
  where s.shop_id = in_shop and s.id = in_supplier and s.archived_at is null;
end
$function$;
