-- When the unit cost of a variant came: `variant.cost_at`, or, when a receipt gave it, the later first booking of the receipt that
-- gave the last cost, which may have repeated it without writing the variant. Locks nothing.
-- Example: a receipt of 1 May gave 2.60, and another of 9 May repeats 2.60: 9 May.
-- Why SQL: atomic with the ledger: `book_unstocked` compares it with the time of a receipt while it books.
create or replace function unit_cost_at(in_shop bigint, in_variant bigint, cost_source text, cost_at timestamptz)
returns timestamptz
language plpgsql
stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
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
$$;
