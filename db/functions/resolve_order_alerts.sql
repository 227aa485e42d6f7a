-- The current text. A migration that changes the function writes it out again; "npm run schema" updates this file.
CREATE OR REPLACE FUNCTION public.resolve_order_alerts(in_shop bigint, in_order bigint)
 RETURNS void
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
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
$function$
