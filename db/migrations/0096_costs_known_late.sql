-- Costs that become known after the receipt.
-- 1. They reach products without stock, too.
-- 2. Pieces that go back to their supplier take out what each of them carries in the average. A return divided what the late cost had
--    added to the pieces on hand by all pieces of the receipt, and left too much with the others.

-- Variants without stock have no average, only a last cost. It is that of the order's newest receipt whose cost is known, and is dated at
-- that receipt. With in_receipt, its costs replace every other cost. With null, its costs are late: a cost that came after the receipt
-- stays, and a cost that the merchant has removed stays removed.
create function book_unstocked(in_shop bigint, in_order bigint, in_receipt bigint)
 returns void
 language plpgsql
 set plan_cache_mode to 'force_generic_plan'
 set enable_seqscan to 'off'
as $function$
declare
  rate numeric;
begin
  if not exists (
    select
    from receipt r
    join receipt_line x on x.shop_id = in_shop and x.receipt_id = r.id and not x.is_stocked and x.quantity > 0
    where r.shop_id = in_shop and r.purchase_order_id = in_order and r.id = coalesce(in_receipt, r.id) and not r.is_imported
      and r.state = 'posted' and r.reversed_at is null
  ) then
    return;
  end if;
  rate := receipt_rate(in_shop, in_order);

  update variant v
  set unit_cost = paid.cost, cost_source = 'receipt', cost_at = paid.posted_at
  from (
    select distinct on (line.variant_id) line.variant_id, coalesce(r.posted_at, r.created_at) as posted_at,
      least(round(goods.cost + line.share / line.quantity, 4), 1e14) as cost
    from receipt r
    join receipt_line x on x.shop_id = in_shop and x.receipt_id = r.id and not x.is_stocked and x.quantity > 0
    join landed_lines(in_shop, in_order) line on line.line_id = x.purchase_order_line_id
    cross join lateral (
      select case when x.unit_cost is null then line.goods_cost else x.unit_cost * rate end as cost
    ) goods
    where r.shop_id = in_shop and r.purchase_order_id = in_order and r.id = coalesce(in_receipt, r.id) and not r.is_imported
      and r.state = 'posted' and r.reversed_at is null and goods.cost is not null
    order by line.variant_id, coalesce(r.posting_no, r.id) desc, line.position desc
  ) paid
  left join variant_cost c on c.shop_id = in_shop and c.variant_id = paid.variant_id
  where v.shop_id = in_shop and v.id = paid.variant_id
    and (
      in_receipt is not null
      or v.unit_cost is distinct from paid.cost
        and (v.cost_at is null or v.cost_at <= paid.posted_at)
        and (c.variant_id is null or c.last_cost is not null)
        -- a cost of the platform is as old as the change there, so the ledger says when it came
        and (coalesce(v.cost_source, 'receipt') = 'receipt' or not exists (
          select from cost_movement m
          where m.shop_id = in_shop and m.variant_id = v.id and m.occurred_at > paid.posted_at
        ))
    );
end
$function$;

-- book_receipt and book_late_costs call book_unstocked; the rest of both is unchanged.
create or replace function book_receipt(in_shop bigint, in_order bigint, in_receipt bigint, in_actor text)
 RETURNS boolean
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
declare
  ids bigint[];
  has_first boolean;
begin
  if in_order is null then
    select array_agg(distinct x.variant_id) into ids
    from direct_receipt_line x
    where x.shop_id = in_shop and x.receipt_id = in_receipt;
  else
    select array_agg(distinct l.variant_id) into ids
    from receipt_line x
    join purchase_order_line l
      on l.shop_id = in_shop and l.purchase_order_id = in_order and l.id = x.purchase_order_line_id
    where x.shop_id = in_shop and x.receipt_id = in_receipt and x.quantity > 0;
  end if;
  perform from variant where shop_id = in_shop and id = any(ids) order by id for no key update;
  has_first := mark_uncosted(in_shop, ids);
  if in_order is not null then
    perform store_weights(in_shop, in_order);
  end if;

  with arrived as (
    select r.variant_id, r.quantity, r.value, r.last_cost
    from receipt_values(in_shop, in_order) r
    where r.receipt_id = in_receipt
    union all
    -- a line without a cost has that of the average, like an order without a rate
    select x.variant_id, sum(x.quantity)::bigint,
      case when bool_and(x.unit_cost is not null) then sum(x.quantity * x.unit_cost) end,
      case when bool_and(x.unit_cost is not null) then (array_agg(x.unit_cost order by x.position desc))[1] end
    from direct_receipt_line x
    where x.shop_id = in_shop and x.receipt_id = in_receipt
    group by x.variant_id
  ),
  priced as materialized (
    select r.variant_id, r.quantity, r.last_cost, s.on_hand, c.average_cost, c.last_cost as cost_before,
      -- while the rate of the order is not known, its pieces cost the average; `book_late_costs` corrects that
      round(coalesce(r.value, r.quantity * c.average_cost), 18) as value
    from arrived r
    join shop_stock(in_shop, ids) s on s.variant_id = r.variant_id
    left join variant_cost c on c.shop_id = in_shop and c.variant_id = r.variant_id
  ),
  written as (
    insert into cost_movement (
      shop_id, variant_id, cause, receipt_id, reference, actor, quantity, unit_cost, value, on_hand_before,
      average_before, average_after, last_cost_after, occurred_at
    )
    select in_shop, variant_id, 'receipt', in_receipt,
      coalesce('purchase_order/' || in_order, 'receipt/' || in_receipt), in_actor, quantity,
      round(value / quantity, 18), value, on_hand, average_cost, average_after(on_hand, average_cost, quantity, value),
      coalesce(last_cost, cost_before), clock_timestamp()
    from priced
    where value is not null
    order by variant_id
    returning variant_id, average_after, last_cost_after, occurred_at
  ),
  stored as (
    insert into variant_cost as c (shop_id, variant_id, average_cost, last_cost, source, updated_at)
    select in_shop, variant_id, average_after, last_cost_after, 'receipt', occurred_at from written
    on conflict (shop_id, variant_id) do update
    set average_cost = excluded.average_cost, last_cost = excluded.last_cost, source = 'receipt',
      updated_at = excluded.updated_at
  )
  update variant v
  set unit_cost = priced.last_cost, cost_source = 'receipt', cost_at = now()
  from priced
  where v.shop_id = in_shop and v.id = priced.variant_id and priced.last_cost is not null;

  perform book_unstocked(in_shop, in_order, in_receipt);
  return has_first;
end
$function$;

create or replace function book_late_costs(in_shop bigint, in_order bigint, in_actor text)
 RETURNS boolean
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
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
$function$;

create or replace function book_supplier_return(in_shop bigint, in_return bigint, in_actor text)
 RETURNS void
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
declare
  ids bigint[];
  in_receipt bigint;
begin
  select array_agg(distinct l.variant_id) into ids
  from supplier_return_line l
  where l.shop_id = in_shop and l.supplier_return_id = in_return and l.is_stocked;
  if ids is null then
    return;
  end if;
  select receipt_id into in_receipt from supplier_return where shop_id = in_shop and id = in_return;
  perform from variant where shop_id = in_shop and id = any(ids) order by id for no key update;

  with going as (
    select l.variant_id, sum(l.quantity)::bigint as quantity
    from supplier_return_line l
    where l.shop_id = in_shop and l.supplier_return_id = in_return and l.is_stocked
    group by l.variant_id
  ),
  booked as (
    select variant_id, id, quantity, value, variance, true as is_receipt
    from cost_movement
    where shop_id = in_shop and receipt_id = in_receipt and variant_id = any(ids)
    union all
    select m.variant_id, m.id, m.quantity, m.value, m.variance, false
    from supplier_return r
    join cost_movement m on m.shop_id = in_shop and m.supplier_return_id = r.id and m.variant_id = any(ids)
    where r.shop_id = in_shop and r.receipt_id = in_receipt
  ),
  -- The value that the pieces of the receipt carry in the average. A late cost is divided by all received pieces; the part of pieces that
  -- were not on hand is a variance. Example: 100 received, 90 sold, 100.00 of freight: each piece carries 1.00, and 10.00 went into the
  -- average. Pieces that went back before the late cost carry none of it: the others carry at least what went into the average.
  put as (
    select m.variant_id, sum(m.quantity) as quantity,
      sum(case
        when not m.is_receipt or m.quantity <> 0 then m.value + m.variance
        when m.value > 0 then greatest(m.value, (m.value + m.variance)::numeric(60, 30) * m.kept / m.received)
        when m.value < 0 then least(m.value, (m.value + m.variance)::numeric(60, 30) * m.kept / m.received)
        else 0
      end) as value
    from (
      select *, sum(quantity) over (partition by variant_id order by id) as kept,
        sum(quantity) filter (where is_receipt) over (partition by variant_id) as received
      from booked
    ) m
    group by m.variant_id
  ),
  leaving as (
    select g.variant_id, g.quantity, s.on_hand, c.average_cost, c.last_cost,
      case
        when put.quantity >= g.quantity then round(put.value::numeric(60, 30) * g.quantity / put.quantity, 18)
        else g.quantity * c.average_cost
      end as worth
    from going g
    join shop_stock(in_shop, ids) s on s.variant_id = g.variant_id
    join variant_cost c on c.shop_id = in_shop and c.variant_id = g.variant_id and c.average_cost is not null
    left join put on put.variant_id = g.variant_id
  ),
  written as (
    insert into cost_movement (
      shop_id, variant_id, cause, supplier_return_id, reference, actor, quantity, unit_cost, value, variance,
      on_hand_before, average_before, average_after, last_cost_after, occurred_at
    )
    select in_shop, l.variant_id, 'return', in_return, 'supplier_return/' || in_return, in_actor, -l.quantity,
      round(l.worth / l.quantity, 18), -paid.out, paid.out - l.worth, l.on_hand, l.average_cost,
      average_after(l.on_hand, l.average_cost, -l.quantity, -paid.out), l.last_cost, clock_timestamp()
    from leaving l
    cross join lateral (
      select case
        when l.on_hand > l.quantity and l.on_hand * l.average_cost >= l.worth then l.worth
        else l.quantity * l.average_cost
      end as out
    ) paid
    order by l.variant_id
    returning variant_id, average_after, occurred_at
  )
  update variant_cost c
  set average_cost = w.average_after, updated_at = w.occurred_at
  from written w
  where c.shop_id = in_shop and c.variant_id = w.variant_id;
end
$function$;
