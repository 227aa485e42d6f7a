-- The current text. A migration that changes the function writes it out again; "npm run schema" updates this file.
CREATE OR REPLACE FUNCTION public.book_late_costs(in_shop bigint, in_order bigint, in_actor text)
 RETURNS void
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
declare
  late record;
  stock bigint;
  book record;
  raise numeric;
begin
  perform from variant
  where shop_id = in_shop
    and id in (select l.variant_id from purchase_order_line l where l.shop_id = in_shop and l.purchase_order_id = in_order)
  order by id
  for no key update;

  for late in
    select r.receipt_id, r.variant_id, r.last_cost, r.value - booked.value as value,
      sum(r.quantity) over (partition by r.variant_id) as received
    from receipt_values(in_shop, in_order) r
    cross join lateral (
      select sum(m.value + m.variance) as value
      from cost_movement m
      where m.shop_id = in_shop and m.receipt_id = r.receipt_id and m.variant_id = r.variant_id
    ) booked
    order by r.variant_id, r.receipt_id
  loop
    -- a receipt of the release before has no booking; rounding is no late cost
    continue when late.value is null or abs(late.value) < 0.000000000001;
    select on_hand into stock from shop_stock(in_shop, array[late.variant_id]);
    select average_cost, last_cost into book
    from variant_cost where shop_id = in_shop and variant_id = late.variant_id;
    raise := round(late.value * least(greatest(stock, 0), late.received) / late.received, 18);
    if stock > 0 and book.average_cost + raise / stock < 0 then
      raise := 0;
    end if;
    insert into cost_movement (
      shop_id, variant_id, cause, receipt_id, reference, actor, unit_cost, value, variance, on_hand_before,
      average_before, average_after, last_cost_after, occurred_at
    )
    values (
      in_shop, late.variant_id, 'charge', late.receipt_id, 'purchase_order/' || in_order, in_actor,
      round(late.value / late.received, 18), raise, round(late.value, 18) - raise, stock, book.average_cost,
      average_after(stock, book.average_cost, 0, raise), book.last_cost, clock_timestamp()
    );
    update variant_cost
    set average_cost = average_after(stock, book.average_cost, 0, raise), updated_at = clock_timestamp()
    where shop_id = in_shop and variant_id = late.variant_id;
  end loop;
end
$function$
