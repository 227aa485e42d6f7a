-- Books what the receipts of an order are worth now and were not when they were booked: a late charge, a corrected one, a new rate, another
-- price. Returns whether it marked variants that have sales and had no cost (`mark_uncosted`). A second call books nothing.
-- 1. Lock the variants of the order by id: the stock and the book cost do not change meanwhile. Store the weights that split charges.
-- 2. For each receipt and variant whose value or last cost differs, oldest receipt first:
--    a. Booked without a cost, since neither rate nor cost was known: book the pieces as if they came now.
--    b. Else book the difference. What is left of the received pieces takes its part into the average, min(on hand, received) / received; the
--       rest is a variance. An average never falls below 0: then all of it is a variance.
--    c. The last cost of the variant follows if this receipt gave it, and the unit cost if it was the last cost. A cost that the merchant
--       has removed stays away.
-- 3. Pieces without stock get their last cost (`book_unstocked`).
-- Example: 15 received and booked at 2.20, 10 are left, and freight of 3.00 comes late: 3.00 x 10 / 15 = 2.00 goes into the average,
-- 2.20 + 2.00 / 10 = 2.40, and 1.00 is a variance.
-- Why SQL: atomic with the ledger: each booking depends on the stock and the average that the one before left.
create or replace function book_late_costs(in_shop bigint, in_order bigint, in_actor text)
returns boolean
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  ids bigint[];
  has_first boolean;
  min_late_cost constant numeric := 0.000000000001;
  late record;
  stock bigint;
  book record;
  late_cost numeric;
  into_average numeric;
  new_average numeric;
  newest record;
  new_last_cost numeric;
  changed_at timestamptz;
  first_variant bigint;
begin
  select array_agg(distinct l.variant_id) into ids
  from purchase_order_line l
  where l.shop_id = in_shop and l.purchase_order_id = in_order;
  perform from variant where shop_id = in_shop and id = any(ids) order by id for no key update;
  has_first := mark_uncosted(in_shop, ids);
  perform store_weights(in_shop, in_order);

  for late in
    select r.*, booked.value as booked
    from (
      select receipt_id, variant_id, quantity, value, last_cost, sum(quantity) over (partition by variant_id) as received
      from receipt_values(in_shop, in_order)
    ) r
    cross join lateral (
      select sum(m.value + m.variance) as value
      from cost_movement m
      where m.shop_id = in_shop and m.receipt_id = r.receipt_id and m.variant_id = r.variant_id
    ) booked
    join receipt p on p.shop_id = in_shop and p.id = r.receipt_id
    left join variant_cost c on c.shop_id = in_shop and c.variant_id = r.variant_id
    -- rounding is no late cost
    where r.value is not null
      and (booked.value is null or abs(r.value - booked.value) >= min_late_cost or r.last_cost is distinct from c.last_cost)
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
      new_average := average_after(stock - late.quantity, book.average_cost, late.quantity, round(late.value, 18));
      insert into cost_movement (
        shop_id, variant_id, cause, receipt_id, reference, actor, quantity, unit_cost, value, on_hand_before, average_before,
        average_after, last_cost_after, occurred_at
      )
      values (
        in_shop, late.variant_id, 'charge', late.receipt_id, 'purchase_order/' || in_order, in_actor, late.quantity,
        round(late.value / late.quantity, 18), round(late.value, 18), stock - late.quantity, book.average_cost, new_average,
        late.last_cost, changed_at
      );
      insert into variant_cost as c (shop_id, variant_id, average_cost, last_cost, source, updated_at)
      values (in_shop, late.variant_id, new_average, late.last_cost, 'receipt', changed_at)
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
    new_last_cost := case
      when book.last_cost is not null and newest.receipt_id = late.receipt_id then late.last_cost
      else book.last_cost
    end;
    late_cost := late.value - late.booked;
    continue when abs(late_cost) < min_late_cost and new_last_cost is not distinct from book.last_cost;
    into_average := round(late_cost * least(greatest(stock, 0), late.received) / late.received, 18);
    if stock > 0 and book.average_cost + into_average / stock < 0 then
      into_average := 0;
    end if;
    new_average := average_after(stock, book.average_cost, 0, into_average);
    insert into cost_movement (
      shop_id, variant_id, cause, receipt_id, reference, actor, unit_cost, value, variance, on_hand_before,
      average_before, average_after, last_cost_after, occurred_at
    )
    values (
      in_shop, late.variant_id, 'charge', late.receipt_id, 'purchase_order/' || in_order, in_actor,
      round(late_cost / late.received, 18), into_average, round(late_cost, 18) - into_average, stock, book.average_cost,
      new_average, new_last_cost, changed_at
    );
    update variant_cost
    set average_cost = new_average, last_cost = new_last_cost, updated_at = changed_at
    where shop_id = in_shop and variant_id = late.variant_id;
    if new_last_cost is distinct from book.last_cost then
      update variant
      set unit_cost = new_last_cost, cost_source = 'receipt', cost_at = changed_at
      where shop_id = in_shop and id = late.variant_id and unit_cost is not distinct from book.last_cost;
    end if;
  end loop;
  perform book_unstocked(in_shop, in_order, null);
  return has_first;
end
$$;
