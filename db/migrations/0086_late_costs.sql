-- Costs that become known after the receipt of their goods, and weights.
-- 1. An order keeps the weights of its lines from its first receipt with a charge by weight on: a weight that is corrected later changes
--    no cost that is booked, until the merchant saves the charge again.
-- 2. A late cost of the receipt that gave a variant its last cost is part of the last cost, too.
-- 3. The first booking of a receipt whose cost was unknown has the receipt's pieces, so that a reversal or a return takes them out.
-- 4. A reversal takes back the variance of its receipt.

alter table purchase_order_line add column weight_grams numeric(14, 3);

-- Stores the weights of an order's lines, once goods have arrived and a charge is split by weight.
create function store_weights(in_shop bigint, in_order bigint)
 returns void
 language plpgsql
 set plan_cache_mode to 'force_generic_plan'
 set enable_seqscan to 'off'
as $function$
begin
  update purchase_order_line l
  set weight_grams = v.weight_grams
  from variant v
  where l.shop_id = in_shop and l.purchase_order_id = in_order and l.weight_grams is null
    and v.shop_id = in_shop and v.id = l.variant_id and v.weight_grams > 0
    and exists (
      select from purchase_order_charge c
      where c.shop_id = in_shop and c.purchase_order_id = in_order and c.basis = 'weight'
    )
    and exists (
      select
      from receipt r
      where r.shop_id = in_shop and r.purchase_order_id = in_order and r.state = 'posted' and r.reversed_at is null
    );
end
$function$;

-- The movement that gave a variant its last cost: the newest one that has its own cost and belongs to no reversed receipt.
create function last_cost_source(in_shop bigint, in_variant bigint)
 returns table(receipt_id bigint, purchase_order_id bigint, last_cost numeric, source text)
 language plpgsql
 stable rows 1
 set plan_cache_mode to 'force_generic_plan'
 set enable_seqscan to 'off'
as $function$
#variable_conflict use_column
begin
  return query
  select m.receipt_id, r.purchase_order_id, m.last_cost_after, case m.cause when 'charge' then 'receipt' else m.cause end
  from cost_movement m
  left join receipt r on r.shop_id = in_shop and r.id = m.receipt_id
  where m.shop_id = in_shop and m.variant_id = in_variant and m.last_cost_after is not null
    -- the other causes repeat the last cost, but for a charge that is the first booking of its receipt
    and (
      m.cause in ('opening', 'platform', 'import', 'manual', 'receipt')
      or m.cause = 'charge' and (m.quantity > 0 or m.average_before is null)
    )
    and r.reversed_at is null
    -- a receipt without a cost repeats the last cost, too
    and not exists (
      select from direct_receipt_line x
      where x.shop_id = in_shop and x.variant_id = m.variant_id and x.receipt_id = m.receipt_id and x.unit_cost is null
    )
    and (
      r.purchase_order_id is null
      or receipt_rate(in_shop, r.purchase_order_id) is not null and not exists (
        select from receipt_line x
        join purchase_order_line l on l.shop_id = in_shop and l.id = x.purchase_order_line_id
        where x.shop_id = in_shop and x.receipt_id = m.receipt_id and x.quantity > 0 and x.unit_cost is null
          and l.variant_id = m.variant_id and not l.is_cost_known
      )
    )
  order by m.id desc
  limit 1;
end
$function$;

create or replace function charge_shares(in_shop bigint, in_order bigint)
 RETURNS TABLE(charge_id bigint, kind text, line_id bigint, amount numeric)
 LANGUAGE plpgsql
 STABLE ROWS 20
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
#variable_conflict use_column
begin
  return query
  select c.id, c.kind, share.line_id, share.amount
  from purchase_order_charge c
  left join shop_setting t on t.shop_id = in_shop
  cross join lateral (
    select array_agg(l.id order by l.position) as line_ids,
      array_agg(
        case c.basis
          when 'value' then l.line_total
          when 'quantity' then l.quantity
          when 'weight' then coalesce(l.weight_grams, v.weight_grams, 0) * l.quantity
          else coalesce((c.shares->>(l.id::text))::numeric, 0)
        end
        order by l.position
      ) as weights
    from purchase_order_line l
    join variant v on v.shop_id = in_shop and v.id = l.variant_id
    where l.shop_id = in_shop and l.purchase_order_id = in_order
      and (
        c.line_ids is null or l.id = any(c.line_ids)
        -- all of them were removed: the charge is of the whole order
        or not exists (
          select from purchase_order_line x
          where x.shop_id = in_shop and x.purchase_order_id = in_order and x.id = any(c.line_ids)
        )
      )
  ) lines
  cross join lateral unnest(
    lines.line_ids, allocate(c.amount * c.rate, minor_digits(coalesce(t.currency, 'USD')), lines.weights)
  ) as share (line_id, amount)
  where c.shop_id = in_shop and c.purchase_order_id = in_order;
end
$function$;

create or replace function book_receipt(in_shop bigint, in_order bigint, in_receipt bigint, in_actor text)
 RETURNS void
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
declare
  ids bigint[];
begin
  if in_order is null then
    select array_agg(distinct x.variant_id) into ids
    from direct_receipt_line x
    where x.shop_id = in_shop and x.receipt_id = in_receipt;
  else
    select array_agg(distinct l.variant_id) into ids
    from receipt_line x
    join purchase_order_line l on l.shop_id = in_shop and l.id = x.purchase_order_line_id
    where x.shop_id = in_shop and x.receipt_id = in_receipt and x.quantity > 0;
  end if;
  perform from variant where shop_id = in_shop and id = any(ids) order by id for no key update;
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

  -- variants without stock have no average, only a last cost
  if exists (
    select from receipt_line x
    where x.shop_id = in_shop and x.receipt_id = in_receipt and not x.is_stocked and x.quantity > 0
  ) then
    update variant v
    set unit_cost = paid.cost, cost_source = 'receipt', cost_at = now()
    from (
      select distinct on (l.variant_id) l.variant_id,
        least(round(
          case when x.unit_cost is null then line.goods_cost else x.unit_cost * receipt_rate(in_shop, in_order) end
            + line.share / line.quantity, 4
        ), 1e14) as cost
      from receipt_line x
      join purchase_order_line l on l.shop_id = in_shop and l.id = x.purchase_order_line_id
      join landed_lines(in_shop, in_order) line on line.line_id = l.id
      where x.shop_id = in_shop and x.receipt_id = in_receipt and not x.is_stocked and x.quantity > 0
        and line.goods_cost is not null
      order by l.variant_id, l.position desc
    ) paid
    where v.shop_id = in_shop and v.id = paid.variant_id;
  end if;
end
$function$;

create or replace function book_reversal(in_shop bigint, in_receipt bigint, variant_ids bigint[], in_actor text)
 RETURNS void
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
begin
  perform from variant where shop_id = in_shop and id = any(variant_ids) order by id for no key update;

  with booked as (
    select m.variant_id, sum(m.quantity)::bigint as quantity, sum(m.value) as value, sum(m.variance) as variance,
      min(m.reference) as reference
    from cost_movement m
    where m.shop_id = in_shop and m.receipt_id = in_receipt and m.variant_id = any(variant_ids)
    group by m.variant_id
  ),
  earlier as materialized (
    select b.variant_id, f.*
    from booked b
    cross join lateral last_cost_source(in_shop, b.variant_id) f
  ),
  -- the cost of an order's receipt as it is today: late costs may have changed it
  landed as (
    select r.receipt_id, r.variant_id, r.last_cost
    from (select distinct purchase_order_id from earlier where purchase_order_id is not null) o
    cross join lateral receipt_values(in_shop, o.purchase_order_id) r
  ),
  leaving as (
    select b.*, s.on_hand, c.average_cost, c.last_cost as cost_before,
      case when c.last_cost is not null then coalesce(landed.last_cost, earlier.last_cost, c.last_cost) end as last_cost,
      earlier.source,
      s.on_hand > b.quantity and s.on_hand * c.average_cost >= b.value as is_exact
    from booked b
    join shop_stock(in_shop, variant_ids) s on s.variant_id = b.variant_id
    join variant_cost c on c.shop_id = in_shop and c.variant_id = b.variant_id
    -- that of another receipt, since the caller has marked this one reversed; without one, the last cost stays
    left join earlier on earlier.variant_id = b.variant_id
    left join landed on landed.receipt_id = earlier.receipt_id and landed.variant_id = b.variant_id
    where b.quantity > 0
  ),
  written as (
    insert into cost_movement (
      shop_id, variant_id, cause, receipt_id, reference, actor, quantity, unit_cost, value, variance, on_hand_before,
      average_before, average_after, last_cost_after, occurred_at
    )
    select in_shop, l.variant_id, 'reversal', in_receipt, l.reference, in_actor, -l.quantity,
      round(l.value / l.quantity, 18), -paid.out, paid.out - l.value - l.variance, l.on_hand, l.average_cost,
      average_after(l.on_hand, l.average_cost, -l.quantity, -paid.out), l.last_cost, clock_timestamp()
    from leaving l
    cross join lateral (select case when l.is_exact then l.value else l.quantity * l.average_cost end as out) paid
    order by l.variant_id
    returning variant_id, average_after, last_cost_after, occurred_at
  ),
  stored as (
    update variant_cost c
    set average_cost = w.average_after, last_cost = w.last_cost_after, updated_at = w.occurred_at
    from written w
    where c.shop_id = in_shop and c.variant_id = w.variant_id
  )
  update variant v
  set unit_cost = l.last_cost, cost_at = now(),
    cost_source = case
      when l.source <> 'opening' then l.source
      when v.platform_cost = l.last_cost then 'platform'
      else 'manual'
    end
  from leaving l
  where v.shop_id = in_shop and v.id = l.variant_id and v.unit_cost = l.cost_before and l.last_cost <> l.cost_before;
end
$function$;

create or replace function book_late_costs(in_shop bigint, in_order bigint, in_actor text)
 returns void
 language plpgsql
 set plan_cache_mode to 'force_generic_plan'
 set enable_seqscan to 'off'
as $function$
declare
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
  perform from variant
  where shop_id = in_shop
    and id in (select l.variant_id from purchase_order_line l where l.shop_id = in_shop and l.purchase_order_id = in_order)
  order by id
  for no key update;
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
end
$function$;
