-- Status, subtotal and tax of an order follow from its lines by one rule, for receipts, revisions, imports and their reverts.

-- What the lines of a sent order say. `is_withdrawn`: nothing arrived, and all that was ordered is cancelled; the status is `sent`, since a
-- revision may still raise a quantity. Postgres inlines the function, and in a sub-select it computes only the columns that are read.
create function order_state(in_shop bigint, in_order bigint)
 returns table(status text, has_arrived boolean, is_withdrawn boolean, line_count bigint, subtotal numeric, tax numeric, minor_digits integer)
 language sql
 stable
 rows 1
as $function$
  select case
      when line.has_arrived and line.is_outstanding then 'partial'
      when line.has_arrived then 'received'
      else 'sent'
    end,
    line.has_arrived, line.has_cancelled and not line.has_arrived and not line.is_outstanding, line.count, line.subtotal, line.tax,
    line.minor_digits
  from (
    select coalesce(bool_or(l.accepted > 0 or l.credited > 0), false) as has_arrived,
      bool_or(l.quantity > l.accepted + l.cancelled) as is_outstanding,
      coalesce(bool_or(l.cancelled > 0), false) as has_cancelled,
      count(*) as count,
      coalesce(sum(l.line_total), 0) as subtotal,
      coalesce(sum(round(l.line_total * l.tax_rate / 100, l.minor_digits)), 0) as tax,
      max(l.minor_digits)::int as minor_digits
    from purchase_order_line l
    where l.shop_id = in_shop and l.purchase_order_id = in_order
  ) line
$function$;

-- A reversed receipt of rejected pieces made a cancelled order `sent` again. A cancelled order has ended: it stays cancelled.
create or replace function settle_order(in_shop bigint, in_order bigint, arrived_at timestamp with time zone)
 returns table(id bigint, status text, received_at timestamp with time zone)
 language plpgsql
 rows 1
 set plan_cache_mode to 'force_generic_plan'
 set enable_seqscan to 'off'
as $function$
#variable_conflict use_column
declare
  new_status text;
begin
  update purchase_order o
  set status = case
      when o.status = 'cancelled' then o.status
      else (select state.status from order_state(in_shop, in_order) state)
    end,
    received_at = arrived_at, updated_at = now(), version = version + 1
  where o.shop_id = in_shop and o.id = in_order
  returning o.status into new_status;

  if new_status = 'received' then
    perform resolve_order_alerts(in_shop, in_order);
  end if;
  return query select in_order, new_status, arrived_at where new_status is not null;
end
$function$;
