-- The current text. A migration that changes the function writes it out again; "npm run schema" updates this file.
CREATE OR REPLACE FUNCTION public.receive_lines(in_shop bigint, in_order bigint, line_ids bigint[], accepted_pieces integer[], credited_pieces integer[])
 RETURNS TABLE(id bigint, status text, received_at timestamp with time zone)
 LANGUAGE plpgsql
 ROWS 1
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
#variable_conflict use_column
begin
  update purchase_order_line l
  set accepted = l.accepted + arrived.accepted, cancelled = l.cancelled + arrived.credited,
    credited = l.credited + arrived.credited,
    -- an update that sets no column of the generated `line_total` makes Postgres parse its expression for each row
    quantity = l.quantity
  from unnest(line_ids, accepted_pieces, credited_pieces) as arrived (id, accepted, credited)
  where l.shop_id = in_shop and l.purchase_order_id = in_order and l.id = arrived.id;
  return query select o.id, o.status, o.received_at from settle_order(in_shop, in_order, now()) o;
end
$function$
