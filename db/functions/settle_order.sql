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
$function$
