-- Resolves the open alerts of an order that was received, cancelled or closed: overdue, and mail failed. Locks the alerts by id.
-- Why SQL: atomic with the ledger: `settle_order` calls it with the receipt that completes the order.
create or replace function resolve_order_alerts(in_shop bigint, in_order bigint)
returns void
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  alert_ids bigint[];
begin
  select array_agg(due.id) into alert_ids
  from (
    select id
    from alert
    where shop_id = in_shop and resolved_at is null and type in ('po_overdue', 'mail_failed')
      and subject = 'purchase_order/' || in_order
    order by id
    for no key update
  ) due;
  if alert_ids is not null then
    update alert set resolved_at = now() where shop_id = in_shop and id = any(alert_ids);
  end if;
end
$$;
