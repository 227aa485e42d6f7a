-- What a new order names: the supplier's terms, the destination, and the variant and the packaging of each line, in the order of the lines.
-- `variant_gids` and `supplier_skus` are as long as the order; a SKU is null when the line has none. Without a row the supplier is unknown
-- or archived. A destination that is unknown or not in use is null, and a line of a variant that the shop does not have is left out.
-- Locks nothing.
-- Why SQL: a session keeps its plan, and planning it took twice as long as running it.
create or replace function look_up_order(
  in_shop bigint, in_supplier bigint, destination text, variant_gids text[], supplier_skus text[]
)
returns table (id bigint, currency text, shop_currency text, tax_rate numeric, destination_id bigint, lines jsonb)
language plpgsql
stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
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
$$;
