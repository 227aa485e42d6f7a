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
  -- the parts of a late cost that the average takes, and that are a cost variance
  put numeric;
  missed numeric;
  average numeric;
  newest record;
  cost numeric;
  changed_at timestamptz;
  first_variant bigint;
begin
  perform from variant
  where shop_id = in_shop
    and id in (select l.variant_id from purchase_order_line l where l.shop_id = in_shop and l.purchase_order_id = in_order)
  order by id
  for no key update;
  perform store_weights(in_shop, in_order);

  for late in
    select r.receipt_id, r.variant_id, r.quantity, r.value, r.last_cost, booked.value as booked,
      sum(r.quantity) over (partition by r.variant_id) as received
    from receipt_values(in_shop, in_order) r
    cross join lateral (
      select sum(m.value + m.variance) as value
      from cost_movement m
      where m.shop_id = in_shop and m.receipt_id = r.receipt_id and m.variant_id = r.variant_id
    ) booked
    join receipt p on p.shop_id = in_shop and p.id = r.receipt_id
    where r.value is not null
    order by r.variant_id, coalesce(p.posting_no, p.id)
  loop
    changed_at := clock_timestamp();
    select on_hand into stock from shop_stock(in_shop, array[late.variant_id]);
    select average_cost, last_cost into book
    from variant_cost where shop_id = in_shop and variant_id = late.variant_id;
    if late.booked is null then
      -- Neither rate nor cost was known when the pieces came: they are booked as if they came now, so all pieces get their cost. A
      -- receipt of the release before the ledger stays without a booking, and so does one whose variant got another cost meanwhile.
      continue when book.average_cost is not null and first_variant is distinct from late.variant_id;
      first_variant := late.variant_id;
      average := average_after(stock - late.quantity, book.average_cost, late.quantity, round(late.value, 18));
      insert into cost_movement (
        shop_id, variant_id, cause, receipt_id, reference, actor, quantity, unit_cost, value, on_hand_before, average_before,
        average_after, last_cost_after, occurred_at
      )
      values (
        in_shop, late.variant_id, 'charge', late.receipt_id, 'purchase_order/' || in_order, in_actor, late.quantity,
        round(late.value / late.quantity, 18), round(late.value, 18), stock - late.quantity, book.average_cost, average,
        late.last_cost, changed_at
      );
      insert into variant_cost as c (shop_id, variant_id, average_cost, last_cost, source, updated_at)
      values (in_shop, late.variant_id, average, late.last_cost, 'receipt', changed_at)
      on conflict (shop_id, variant_id) do update
      set average_cost = excluded.average_cost, last_cost = excluded.last_cost, source = excluded.source,
        updated_at = excluded.updated_at;
      update variant
      set unit_cost = late.last_cost, cost_source = 'receipt', cost_at = changed_at
      where shop_id = in_shop and id = late.variant_id;
      continue;
    end if;
    select * into newest from last_cost_source(in_shop, late.variant_id);
    -- a cost that the merchant has removed stays away
    cost := case
      when book.last_cost is not null and newest.receipt_id = late.receipt_id then late.last_cost
      else book.last_cost
    end;
    raise := late.value - late.booked;
    -- rounding is no late cost
    continue when abs(raise) < 0.000000000001 and cost is not distinct from book.last_cost;
    put := round(raise * least(greatest(stock, 0), late.received) / late.received, 18);
    if stock > 0 and book.average_cost + put / stock < 0 then
      put := 0;
    end if;
    missed := round(raise, 18) - put;
    average := average_after(stock, book.average_cost, 0, put);
    insert into cost_movement (
      shop_id, variant_id, cause, receipt_id, reference, actor, unit_cost, value, variance, on_hand_before,
      average_before, average_after, last_cost_after, occurred_at
    )
    values (
      in_shop, late.variant_id, 'charge', late.receipt_id, 'purchase_order/' || in_order, in_actor,
      round(raise / late.received, 18), put, missed, stock, book.average_cost, average, cost, changed_at
    );
    update variant_cost
    set average_cost = average, last_cost = cost, updated_at = changed_at
    where shop_id = in_shop and variant_id = late.variant_id;
    if cost is distinct from book.last_cost then
      update variant
      set unit_cost = cost, cost_source = 'receipt', cost_at = changed_at
      where shop_id = in_shop and id = late.variant_id and unit_cost is not distinct from book.last_cost;
    end if;
  end loop;
end
$function$
