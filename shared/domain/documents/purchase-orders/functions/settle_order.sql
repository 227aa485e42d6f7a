-- Computes the status of an order from its lines, after accepted quantities have changed. The caller has locked the order. Returns no row
-- when the shop does not have the order. A cancelled order has ended: it stays cancelled.
-- 1. Set the status (`order_state`), and the time of the newest receipt.
-- 2. Resolve the alerts of a received order.
-- Why SQL: atomic with the ledger: a receipt settles its order in the transaction that moves the stock.
create or replace function settle_order(in_shop bigint, in_order bigint, arrived_at timestamptz)
returns table (id bigint, status text, received_at timestamptz)
language plpgsql
rows 1
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
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
$$;
