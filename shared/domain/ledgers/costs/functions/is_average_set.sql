-- Whether the average of a variant was set as a whole after a movement: a person or an import entered a cost, or the average followed the
-- platform's. It then has nothing of an earlier receipt. A movement by which a person removes the cost has no unit cost, and keeps the
-- average; a repair corrects the books. Neither counts. Locks nothing; the caller has locked the variant.
-- Why SQL: atomic with the ledger: it decides at which value the pieces of a booking leave.
create or replace function is_average_set(in_shop bigint, in_variant bigint, after_movement bigint)
returns boolean
language sql
stable
as $$
  select exists (
    select
    from cost_movement m
    where m.shop_id = in_shop and m.variant_id = in_variant and m.id > after_movement
      and m.receipt_id is null and m.supplier_return_id is null and m.quantity = 0 and m.cause <> 'repair'
      and (m.average_after is distinct from m.average_before or m.cause in ('manual', 'import') and m.unit_cost is not null)
  )
$$;
