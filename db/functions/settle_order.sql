-- The current text. A migration that changes the function writes it out again; "npm run schema" updates this file.
CREATE OR REPLACE FUNCTION public.settle_order(in_shop bigint, in_order bigint, arrived_at timestamp with time zone)
 RETURNS TABLE(id bigint, status text, received_at timestamp with time zone)
 LANGUAGE plpgsql
 ROWS 1
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
#variable_conflict use_column
declare
  new_status text;
begin
  update purchase_order o
  set status = case when o.status = 'cancelled' then 'cancelled'
      when line.has_arrived and line.is_outstanding then 'partial'
      when line.has_arrived then 'received'
      else 'sent'
    end,
    received_at = arrived_at, updated_at = now(), version = version + 1
  from (
    select bool_or(l.accepted > 0 or l.credited > 0) as has_arrived,
      bool_or(l.quantity > l.accepted + l.cancelled) as is_outstanding
    from purchase_order_line l
    where l.shop_id = in_shop and l.purchase_order_id = in_order
  ) line
  where o.shop_id = in_shop and o.id = in_order
  returning o.status into new_status;

  if new_status = 'received' then
    perform resolve_order_alerts(in_shop, in_order);
  end if;
  return query select in_order, new_status, arrived_at where new_status is not null;
end
$function$
