-- Marks the variants that have sales and no book cost yet, and returns whether there are some. Sales before the first cost cost what the
-- ledger begins with, so the margins that are stored are computed again. Called before the first cost is written; the caller has locked
-- the variants. `shared/domain/ledgers/costs/first-costs.ts` does the same outside of receipts.
-- Why SQL: atomic with the ledger: after the booking nothing shows that the cost was the first.
create or replace function mark_uncosted(in_shop bigint, variant_ids bigint[])
returns boolean
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  insert into velocity_mark (shop_id, variant_gid)
  select in_shop, v.gid
  from variant v
  where v.shop_id = in_shop and v.id = any(variant_ids)
    and exists (select from margin_period p where p.shop_id = in_shop)
    and not exists (select from variant_cost c where c.shop_id = in_shop and c.variant_id = v.id)
    and exists (select from sale s where s.shop_id = in_shop and s.variant_gid = v.gid);
  return found;
end
$$;
