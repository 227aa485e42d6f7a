-- The shares of an order's charges, by charge and line, in the shop's currency. The shares of a charge add up to its amount. Locks nothing.
-- 1. The lines of a charge are those that it names; all lines when it names none, or when all of the named ones were removed.
-- 2. The weights are by the charge's basis: the lines' totals, pieces or weights, or the shares that the merchant typed.
-- 3. Split the amount at the charge's rate (`allocate`).
-- Example: 12.00 of freight by value, lines of 30.00 and 10.00: 9.00 and 3.00.
-- Why SQL: atomic with the ledger: receipts are booked with these shares; a function of its own, since Postgres would merge it into the
-- statement that reads it, and compute it for each line (docs/performance.md, "The price of costs").
create or replace function charge_shares(in_shop bigint, in_order bigint)
returns table (charge_id bigint, kind text, line_id bigint, amount numeric)
language plpgsql
stable rows 20
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
begin
  return query
  select c.id, c.kind, share.line_id, share.amount
  from purchase_order_charge c
  left join shop_setting t on t.shop_id = in_shop
  cross join lateral (
    select array_agg(l.id order by l.position) as line_ids,
      array_agg(
        case c.basis
          when 'value' then l.line_total
          when 'quantity' then l.quantity
          when 'weight' then coalesce(l.weight_grams, v.weight_grams, 0) * l.quantity
          else coalesce((c.shares->>(l.id::text))::numeric, 0)
        end
        order by l.position
      ) as weights
    from purchase_order_line l
    join variant v on v.shop_id = in_shop and v.id = l.variant_id
    where l.shop_id = in_shop and l.purchase_order_id = in_order
      and (
        c.line_ids is null or l.id = any(c.line_ids)
        -- all of them were removed: the charge is of the whole order
        or not exists (
          select from purchase_order_line x
          where x.shop_id = in_shop and x.purchase_order_id = in_order and x.id = any(c.line_ids)
        )
      )
  ) lines
  cross join lateral unnest(
    lines.line_ids, allocate(c.amount * c.rate, minor_digits(coalesce(t.currency, 'USD')), lines.weights)
  ) as share (line_id, amount)
  where c.shop_id = in_shop and c.purchase_order_id = in_order;
end
$$;
