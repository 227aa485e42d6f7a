-- The current text. A migration that changes the function writes it out again; "npm run schema" updates this file.
CREATE OR REPLACE FUNCTION public.book_undone_return(in_shop bigint, in_return bigint, variant_ids bigint[], in_actor text)
 RETURNS void
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
begin
  perform from variant where shop_id = in_shop and id = any(variant_ids) order by id for no key update;

  with coming as (
    select m.variant_id, -sum(m.quantity)::bigint as quantity, -sum(m.value) as value, -sum(m.variance) as variance
    from cost_movement m
    where m.shop_id = in_shop and m.supplier_return_id = in_return and m.variant_id = any(variant_ids)
    group by m.variant_id
    having sum(m.quantity) < 0
  ),
  written as (
    insert into cost_movement (
      shop_id, variant_id, cause, supplier_return_id, reference, actor, quantity, unit_cost, value, variance,
      on_hand_before, average_before, average_after, last_cost_after, occurred_at
    )
    select in_shop, g.variant_id, 'return', in_return, 'supplier_return/' || in_return, in_actor, g.quantity,
      round((g.value + g.variance) / g.quantity, 18), g.value, g.variance, s.on_hand, c.average_cost,
      average_after(s.on_hand, c.average_cost, g.quantity, g.value), c.last_cost, clock_timestamp()
    from coming g
    join shop_stock(in_shop, variant_ids) s on s.variant_id = g.variant_id
    join variant_cost c on c.shop_id = in_shop and c.variant_id = g.variant_id
    order by g.variant_id
    returning variant_id, average_after, occurred_at
  )
  update variant_cost c
  set average_cost = w.average_after, updated_at = w.occurred_at
  from written w
  where c.shop_id = in_shop and c.variant_id = w.variant_id;
end
$function$
