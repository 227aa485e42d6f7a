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
  changed_at timestamptz;
begin
  perform from variant
  where shop_id = in_shop
    and id in (select l.variant_id from purchase_order_line l where l.shop_id = in_shop and l.purchase_order_id = in_order)
  order by id
  for no key update;

  for late in
    select r.receipt_id, r.variant_id, r.last_cost, r.value - booked.value as value,
      case when booked.value is null then r.value / r.quantity end as unbooked_cost, r.quantity,
      sum(r.quantity) over (partition by r.variant_id) as received
    from receipt_values(in_shop, in_order) r
    cross join lateral (
      select sum(m.value + m.variance) as value
      from cost_movement m
      where m.shop_id = in_shop and m.receipt_id = r.receipt_id and m.variant_id = r.variant_id
    ) booked
    order by r.variant_id, r.receipt_id
  loop
    changed_at := clock_timestamp();
    -- rounding is no late cost
    continue when abs(late.value) < 0.000000000001;
    select on_hand into stock from shop_stock(in_shop, array[late.variant_id]);
    select average_cost, last_cost into book
    from variant_cost where shop_id = in_shop and variant_id = late.variant_id;
    if late.unbooked_cost is not null and book.average_cost is null and stock > 0 then
      -- neither the rate nor the cost was known when the pieces came: all pieces cost what these cost
      insert into cost_movement (
        shop_id, variant_id, cause, receipt_id, reference, actor, unit_cost, value, variance, on_hand_before,
        average_after, last_cost_after, occurred_at
      )
      values (
        in_shop, late.variant_id, 'charge', late.receipt_id, 'purchase_order/' || in_order, in_actor,
        round(late.unbooked_cost, 18), round(late.unbooked_cost * stock, 18),
        round(late.unbooked_cost * (late.quantity - stock), 18), stock,
        average_after(stock, null, 0, round(late.unbooked_cost * stock, 18)), late.last_cost, changed_at
      );
      insert into variant_cost as c (shop_id, variant_id, average_cost, last_cost, source, updated_at)
      values (
        in_shop, late.variant_id, average_after(stock, null, 0, round(late.unbooked_cost * stock, 18)), late.last_cost,
        'receipt', changed_at
      )
      on conflict (shop_id, variant_id) do update
      set average_cost = excluded.average_cost, last_cost = excluded.last_cost, source = excluded.source,
        updated_at = excluded.updated_at;
      update variant
      set unit_cost = late.last_cost, cost_source = 'receipt', cost_at = changed_at
      where shop_id = in_shop and id = late.variant_id;
    end if;
    -- a receipt of the release before has no booking, and stays without
    continue when late.value is null;
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
      average_after(stock, book.average_cost, 0, raise), book.last_cost, changed_at
    );
    update variant_cost
    set average_cost = average_after(stock, book.average_cost, 0, raise), updated_at = changed_at
    where shop_id = in_shop and variant_id = late.variant_id;
  end loop;
end
$function$
