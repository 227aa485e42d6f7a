-- The current text. A migration that changes the function writes it out again; "npm run schema" updates this file.
CREATE OR REPLACE FUNCTION public.insert_receipt(in_shop bigint, in_order bigint, in_location bigint, in_notes text, in_fingerprint bytea, in_actor text, line_ids bigint[], pieces integer[], stocked boolean[])
 RETURNS TABLE(id bigint, status text, received_at timestamp with time zone, receipt_id bigint)
 LANGUAGE plpgsql
 ROWS 1
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
#variable_conflict use_column
declare
  received record;
  new_receipt bigint;
begin
  select * into received
  from receive_lines(in_shop, in_order, line_ids, pieces, array_fill(0, array[cardinality(line_ids)]));
  insert into receipt (shop_id, purchase_order_id, location_id, notes, fingerprint, status_after, created_by)
  values (in_shop, in_order, in_location, in_notes, in_fingerprint, received.status, in_actor)
  returning id into new_receipt;
  insert into receipt_line (shop_id, receipt_id, purchase_order_line_id, quantity, is_stocked)
  select in_shop, new_receipt, line.id, line.quantity, line.is_stocked
  from unnest(line_ids, pieces, stocked) as line (id, quantity, is_stocked);
  return query select received.id, received.status, received.received_at, new_receipt;
end
$function$
