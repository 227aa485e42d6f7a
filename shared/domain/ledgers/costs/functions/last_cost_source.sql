-- The movement that gave a variant its last cost: the newest one that has its own cost and belongs to no reversed receipt. No row when
-- there is none. Locks nothing; the caller has locked the variant, or shows the result.
-- Movements that repeat the last cost are left out: those of other causes, a receipt whose rate or whose cost is not known, and a charge,
-- unless it is the first booking of its receipt.
-- Example: receipts at 2.00 and 2.60, the second reversed: the first, 2.00.
-- Why SQL: atomic with the ledger: reversals and late costs set the last cost by it while they book.
create or replace function last_cost_source(in_shop bigint, in_variant bigint)
returns table (receipt_id bigint, purchase_order_id bigint, last_cost numeric, source text)
language plpgsql
stable rows 1
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
begin
  return query
  select m.receipt_id, r.purchase_order_id, m.last_cost_after, case m.cause when 'charge' then 'receipt' else m.cause end
  from cost_movement m
  left join receipt r on r.shop_id = in_shop and r.id = m.receipt_id
  where m.shop_id = in_shop and m.variant_id = in_variant and m.last_cost_after is not null
    -- the other causes repeat the last cost, but for a charge that is the first booking of its receipt
    and (
      m.cause in ('opening', 'platform', 'import', 'manual', 'receipt')
      or m.cause = 'charge' and (m.quantity > 0 or m.average_before is null)
    )
    and r.reversed_at is null
    -- a receipt without a cost repeats the last cost, too
    and not exists (
      select from direct_receipt_line x
      where x.shop_id = in_shop and x.variant_id = m.variant_id and x.receipt_id = m.receipt_id and x.unit_cost is null
    )
    and (
      r.purchase_order_id is null
      or receipt_rate(in_shop, r.purchase_order_id) is not null and not exists (
        select from receipt_line x
        join purchase_order_line l on l.shop_id = in_shop and l.id = x.purchase_order_line_id
        where x.shop_id = in_shop and x.receipt_id = m.receipt_id and x.quantity > 0 and x.unit_cost is null
          and l.variant_id = m.variant_id and not l.is_cost_known
      )
    )
  order by m.id desc
  limit 1;
end
$$;
