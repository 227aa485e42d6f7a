-- What the shop has of each variant: on hand at its locations (a level that was never read counts as its available quantity), and in
-- transit between them. A variant without levels has 0. Locks nothing; the caller has locked the variants before.
-- One join for all variants: joined one after the other, the levels and transfers of many variants took quadratic time.
-- Example: 7 and 2 on hand at two locations, 3 on the way between them: 12.
-- Why SQL: atomic with the ledger: bookings divide by this stock.
create or replace function shop_stock(in_shop bigint, variant_ids bigint[])
returns table (variant_id bigint, on_hand bigint)
language plpgsql
stable rows 20
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
begin
  return query
  select wanted.id, sum(coalesce(stock.pieces, 0))::bigint
  from (select distinct id from unnest(variant_ids) as id) wanted
  left join (
    select l.variant_id, coalesce(l.on_hand, l.quantity) as pieces
    from stock_level l
    where l.shop_id = in_shop and l.variant_id = any(variant_ids)
    union all
    select i.variant_id, i.in_transit
    from stock_transfer_item i
    where i.shop_id = in_shop and i.variant_id = any(variant_ids) and i.in_transit > 0
  ) stock on stock.variant_id = wanted.id
  group by wanted.id;
end
$$;
