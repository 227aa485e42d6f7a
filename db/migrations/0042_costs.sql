-- What goods really cost: charges and landed cost of orders, the moving average with its ledger, and stock as of any day.

alter table variant
  -- of one piece, as the platform reports it
  add column weight_grams numeric(14, 3);

-- Costs of an order beside its goods. `shares` is for the basis manual: the merchant's amount of each line.
create table purchase_order_charge (
  shop_id bigint not null,
  id bigint not null generated always as identity,
  purchase_order_id bigint not null,
  kind text not null check (kind in ('freight', 'duty', 'insurance', 'handling', 'other')),
  amount numeric(19, 4) not null check (amount >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- 1 of `currency` in the shop's currency
  rate numeric(18, 8) not null check (rate > 0),
  -- percent, recoverable: it is no part of the cost
  tax_rate numeric(6, 3) not null default 0 check (tax_rate between 0 and 100),
  basis text not null check (basis in ('value', 'quantity', 'weight', 'manual')),
  -- null: all lines
  line_ids bigint[],
  shares jsonb,
  is_estimate boolean not null default false,
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (shop_id, id),
  foreign key (shop_id, purchase_order_id) references purchase_order (shop_id, id) on delete cascade
);

create index on purchase_order_charge (shop_id, purchase_order_id, id);

-- The last typed rate of each currency and day.
create table exchange_rate (
  shop_id bigint not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  day date not null,
  -- 1 of `currency` in the shop's currency
  rate numeric(18, 8) not null check (rate > 0),
  source text not null check (source in ('typed', 'import')),
  primary key (shop_id, currency, day),
  foreign key (shop_id) references shop (id)
);

-- The book cost of a variant: what its cost movements lead to. In the shop's currency.
create table variant_cost (
  shop_id bigint not null,
  variant_id bigint not null,
  -- null: not known
  average_cost numeric(38, 18),
  last_cost numeric(19, 4),
  -- what the average came from
  source text check (source in ('platform', 'receipt', 'import', 'manual')),
  updated_at timestamptz not null,
  primary key (shop_id, variant_id),
  foreign key (shop_id, variant_id) references variant (shop_id, id)
);

-- The ledger of costs. Rows never change.
create table cost_movement (
  shop_id bigint not null,
  id bigint not null generated always as identity,
  variant_id bigint not null,
  cause text not null check (
    cause in ('opening', 'platform', 'import', 'manual', 'receipt', 'reversal', 'charge', 'return', 'repair')
  ),
  -- of receipts, their reversals and their late charges
  receipt_id bigint,
  reference text not null default '',
  actor text not null default '',
  -- pieces that came (above 0) or left (below 0)
  quantity int not null default 0,
  -- of one of these pieces; of a row without pieces the new cost
  unit_cost numeric(38, 18),
  -- what it added to the value of stock, and what it could not add, since the goods had left
  value numeric(50, 18) not null default 0,
  variance numeric(50, 18) not null default 0,
  -- of the shop, before the row
  on_hand_before bigint not null,
  average_before numeric(38, 18),
  average_after numeric(38, 18),
  last_cost_after numeric(19, 4),
  occurred_at timestamptz not null,
  primary key (shop_id, id),
  foreign key (shop_id, variant_id) references variant (shop_id, id),
  foreign key (shop_id, receipt_id) references receipt (shop_id, id)
);

create index cost_movement_of_variant on cost_movement (shop_id, variant_id, id);
create index cost_movement_of_receipt on cost_movement (shop_id, receipt_id, variant_id) where receipt_id is not null;

-- Changes of committed and unavailable pieces together: with stock_movement they give what was on hand at any time.
create table stock_state_change (
  shop_id bigint not null,
  id bigint not null generated always as identity,
  variant_id bigint not null,
  location_id bigint not null,
  delta int not null,
  occurred_at timestamptz not null,
  primary key (shop_id, id),
  foreign key (shop_id, variant_id, location_id) references stock_level (shop_id, variant_id, location_id)
);

create index on stock_state_change (shop_id, occurred_at);
create index on stock_state_change (shop_id, variant_id, location_id);

alter table inventory_value_day alter column value type numeric(24, 3);

create function minor_digits(currency text) returns int
language sql immutable parallel safe
as $$
  select case
    when currency in (
      'BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF'
    ) then 0
    when currency in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') then 3
    else 2
  end
$$;

-- Splits an amount by weights, exactly: each share is rounded down to the currency's minor unit, and the shares with
-- the largest remainders get the units that are left; of equal remainders, the first. Weights that are all 0 count as equal.
-- Example: 10.00 by 1, 1, 1 is 3.34, 3.33, 3.33.
create function allocate(amount numeric, digits int, weights numeric[]) returns numeric[]
language sql immutable parallel safe
as $$
  with given as (
    select place, case when sum(weight) over () = 0 then 1 else weight end as weight,
      round(amount * 10::numeric ^ digits) as units
    from unnest(weights) with ordinality as w (weight, place)
  ),
  split as (
    select place, units, div(units * weight, sum(weight) over ()) as share,
      mod(units * weight, sum(weight) over ()) as rest
    from given
  ),
  ranked as (
    select place, share, units - sum(share) over () as left_over, row_number() over (order by rest desc, place) as at
    from split
  )
  select coalesce(
    array_agg(round((share + case when at <= left_over then 1 else 0 end) / 10::numeric ^ digits, digits) order by place),
    '{}'
  )
  from ranked
$$;

-- The moving average after pieces came, left, or became dearer. All numbers are of the shop; `value` is the change of the stock's value.
--   came     (max(on hand, 0) x average + value) / (max(on hand, 0) + quantity)
--   left     (on hand x average + value) / (on hand + quantity), while pieces stay and the result is not below 0; else unchanged
--   dearer   average + value / on hand, while there are pieces; else unchanged. An unknown average counts as 0
create function average_after(on_hand bigint, average numeric, quantity bigint, value numeric) returns numeric
language sql immutable parallel safe
as $$
  select case
    when quantity > 0 and (on_hand <= 0 or average is null) then round(value::numeric(60, 30) / quantity, 18)
    when quantity > 0 then round((on_hand * average + value)::numeric(60, 30) / (on_hand + quantity), 18)
    when quantity < 0 and on_hand + quantity > 0 and on_hand * average + value >= 0
      then round((on_hand * average + value)::numeric(60, 30) / (on_hand + quantity), 18)
    when quantity = 0 and on_hand > 0 and average is null then round(value::numeric(60, 30) / on_hand, 18)
    when quantity = 0 and on_hand > 0 and average + value / on_hand >= 0
      then round(average + value::numeric(60, 30) / on_hand, 18)
    else average
  end
$$;

-- In plpgsql, since Postgres would merge a function in SQL into the statement that reads it, and compute it again for each of its
-- rows. `enable_seqscan = off` keeps a plan from scanning tables that were small when it was made.

-- The shares of an order's charges, in the shop's currency. The shares of a charge add up to its amount.
create function charge_shares(in_shop bigint, in_order bigint)
returns table (charge_id bigint, kind text, line_id bigint, amount numeric)
language plpgsql stable rows 20
set plan_cache_mode to 'force_generic_plan'
set enable_seqscan to 'off'
as $$
#variable_conflict use_column
begin
  return query
  select c.id, c.kind, share.line_id, share.amount
  from purchase_order_charge c
  left join shop_setting t on t.shop_id = c.shop_id
  cross join lateral (
    select array_agg(l.id order by l.position) as line_ids,
      array_agg(
        case c.basis
          when 'value' then l.line_total
          when 'quantity' then l.quantity
          when 'weight' then coalesce(v.weight_grams, 0) * l.quantity
          else coalesce((c.shares->>(l.id::text))::numeric, 0)
        end
        order by l.position
      ) as weights
    from purchase_order_line l
    join variant v on v.shop_id = l.shop_id and v.id = l.variant_id
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
$$;

-- The landed cost of an order's lines, in the shop's currency.
--   unit cost of the goods = price x rate x (1 - discount of the line) x (1 - discount of the order / subtotal)
--   landed unit cost       = unit cost of the goods + shares of the charges / ordered pieces
-- Null when the rate of the order's currency is not known.
create function landed_lines(in_shop bigint, in_order bigint)
returns table (line_id bigint, variant_id bigint, quantity int, goods_cost numeric, share numeric)
language plpgsql stable rows 20
set plan_cache_mode to 'force_generic_plan'
set enable_seqscan to 'off'
as $$
#variable_conflict use_column
begin
  return query
  select l.id, l.variant_id, l.quantity,
    (l.cost_price * (1 - l.discount_percent / 100))::numeric(60, 30)
      * case when coalesce(o.currency, t.currency, 'USD') = coalesce(t.currency, 'USD') then 1 else o.rate end
      * (1 - case when o.subtotal > 0 then o.discount::numeric(60, 30) / o.subtotal else 0 end),
    coalesce(s.amount, 0)
  from purchase_order o
  join purchase_order_line l on l.shop_id = o.shop_id and l.purchase_order_id = o.id
  left join shop_setting t on t.shop_id = o.shop_id
  left join (
    select x.line_id, sum(x.amount) as amount from charge_shares(in_shop, in_order) x group by x.line_id
  ) s on s.line_id = l.id
  where o.shop_id = in_shop and o.id = in_order;
end
$$;

-- What each receipt of an order is worth, by variant: receipts that are not reversed, and lines whose pieces moved stock.
-- Of a line, the first ordered pieces that arrive take the shares of the charges; pieces beyond the order take none.
-- Example: 100 ordered at 4.17, shares of 400; receipts of 60 and 40: 60 x 4.17 + 400 x 60 / 100 = 490.20, and 326.80.
create function receipt_values(in_shop bigint, in_order bigint)
returns table (receipt_id bigint, variant_id bigint, quantity bigint, value numeric, last_cost numeric)
language plpgsql stable rows 20
set plan_cache_mode to 'force_generic_plan'
set enable_seqscan to 'off'
as $$
#variable_conflict use_column
begin
  return query
  select arrived.receipt_id, arrived.variant_id, sum(arrived.quantity)::bigint,
    sum(arrived.quantity * arrived.goods_cost + arrived.share * arrived.sharing / arrived.ordered),
    -- `least` leaves out null
    case when bool_and(arrived.goods_cost is not null)
      then least((array_agg(round(arrived.goods_cost + arrived.share / arrived.ordered, 4) order by arrived.position desc))[1], 1e14)
    end
  from (
    select x.receipt_id, l.variant_id, x.quantity, x.is_stocked, line.goods_cost, line.share,
      line.quantity::numeric(60, 30) as ordered, l.position,
      greatest(least(
        line.quantity - sum(x.quantity) over (partition by l.id order by x.receipt_id) + x.quantity, x.quantity
      ), 0) as sharing
    from landed_lines(in_shop, in_order) line
    join purchase_order_line l on l.shop_id = in_shop and l.id = line.line_id
    join receipt_line x on x.shop_id = in_shop and x.purchase_order_line_id = l.id
    join receipt r on r.shop_id = in_shop and r.id = x.receipt_id and r.reversed_at is null
  ) arrived
  where arrived.is_stocked
  group by arrived.receipt_id, arrived.variant_id;
end
$$;

-- What is on hand of each variant in the whole shop; a level that was never read counts as its available quantity.
create function shop_stock(in_shop bigint, variant_ids bigint[])
returns table (variant_id bigint, on_hand bigint)
language plpgsql stable rows 20
set plan_cache_mode to 'force_generic_plan'
set enable_seqscan to 'off'
as $$
#variable_conflict use_column
begin
  return query
  select id, coalesce((
    select sum(coalesce(l.on_hand, l.quantity))::bigint from stock_level l where l.shop_id = in_shop and l.variant_id = id
  ), 0)
  from unnest(variant_ids) as id;
end
$$;

-- Books a receipt before its stock moves: the new average and the last cost of each variant.
create function book_receipt(in_shop bigint, in_order bigint, in_receipt bigint, in_actor text) returns void
language plpgsql
set plan_cache_mode to 'force_generic_plan'
set enable_seqscan to 'off'
as $$
declare
  ids bigint[];
begin
  select array_agg(distinct l.variant_id) into ids
  from receipt_line x
  join purchase_order_line l on l.shop_id = x.shop_id and l.id = x.purchase_order_line_id
  where x.shop_id = in_shop and x.receipt_id = in_receipt;
  perform from variant where shop_id = in_shop and id = any(ids) order by id for no key update;

  with priced as materialized (
    select r.variant_id, r.quantity, r.last_cost, s.on_hand, c.average_cost, c.last_cost as cost_before,
      -- while the rate of the order is not known, its pieces cost the average; `book_late_costs` corrects that
      round(coalesce(r.value, r.quantity * c.average_cost), 18) as value
    from receipt_values(in_shop, in_order) r
    join shop_stock(in_shop, ids) s on s.variant_id = r.variant_id
    left join variant_cost c on c.shop_id = in_shop and c.variant_id = r.variant_id
    where r.receipt_id = in_receipt
  ),
  written as (
    insert into cost_movement (
      shop_id, variant_id, cause, receipt_id, reference, actor, quantity, unit_cost, value, on_hand_before,
      average_before, average_after, last_cost_after, occurred_at
    )
    select in_shop, variant_id, 'receipt', in_receipt, 'purchase_order/' || in_order, in_actor, quantity,
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
    select from receipt_line x where x.shop_id = in_shop and x.receipt_id = in_receipt and not x.is_stocked
  ) then
    update variant v
    set unit_cost = paid.cost, cost_source = 'receipt', cost_at = now()
    from (
      select distinct on (l.variant_id) l.variant_id,
        least(round(line.goods_cost + line.share / line.quantity, 4), 1e14) as cost
      from receipt_line x
      join purchase_order_line l on l.shop_id = x.shop_id and l.id = x.purchase_order_line_id
      join landed_lines(in_shop, in_order) line on line.line_id = l.id
      where x.shop_id = in_shop and x.receipt_id = in_receipt and not x.is_stocked and line.goods_cost is not null
      order by l.variant_id, l.position desc
    ) paid
    where v.shop_id = in_shop and v.id = paid.variant_id;
  end if;
end
$$;

-- Takes what a receipt put into the averages out again, before its stock moves. Where the remaining stock is not worth as much,
-- its pieces leave at the average, and the rest is a variance.
create function book_reversal(in_shop bigint, in_receipt bigint, variant_ids bigint[], in_actor text) returns void
language plpgsql
set plan_cache_mode to 'force_generic_plan'
set enable_seqscan to 'off'
as $$
begin
  perform from variant where shop_id = in_shop and id = any(variant_ids) order by id for no key update;

  with booked as (
    select m.variant_id, sum(m.quantity)::bigint as quantity, sum(m.value) as value, min(m.reference) as reference
    from cost_movement m
    where m.shop_id = in_shop and m.receipt_id = in_receipt and m.variant_id = any(variant_ids)
    group by m.variant_id
  ),
  leaving as (
    select b.*, s.on_hand, c.average_cost, c.last_cost,
      s.on_hand > b.quantity and s.on_hand * c.average_cost >= b.value as is_exact
    from booked b
    join shop_stock(in_shop, variant_ids) s on s.variant_id = b.variant_id
    join variant_cost c on c.shop_id = in_shop and c.variant_id = b.variant_id
    where b.quantity > 0
  ),
  written as (
    insert into cost_movement (
      shop_id, variant_id, cause, receipt_id, reference, actor, quantity, unit_cost, value, variance, on_hand_before,
      average_before, average_after, last_cost_after, occurred_at
    )
    select in_shop, l.variant_id, 'reversal', in_receipt, l.reference, in_actor, -l.quantity,
      round(l.value / l.quantity, 18), -paid.out, paid.out - l.value, l.on_hand, l.average_cost,
      average_after(l.on_hand, l.average_cost, -l.quantity, -paid.out), l.last_cost, clock_timestamp()
    from leaving l
    cross join lateral (select case when l.is_exact then l.value else l.quantity * l.average_cost end as out) paid
    order by l.variant_id
    returning variant_id, average_after, occurred_at
  )
  update variant_cost c
  set average_cost = w.average_after, updated_at = w.occurred_at
  from written w
  where c.shop_id = in_shop and c.variant_id = w.variant_id;
end
$$;

-- Books what the receipts of an order are worth now and were not when they were booked: a late charge, a corrected one, a new
-- rate. What is left of the received pieces takes its part, min(on hand, received) / received; the rest is a variance.
create function book_late_costs(in_shop bigint, in_order bigint, in_actor text) returns void
language plpgsql
set plan_cache_mode to 'force_generic_plan'
set enable_seqscan to 'off'
as $$
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
        average_after(stock, null, 0, round(late.unbooked_cost * stock, 18)), late.last_cost, clock_timestamp()
      );
      insert into variant_cost as c (shop_id, variant_id, average_cost, last_cost, source, updated_at)
      values (
        in_shop, late.variant_id, average_after(stock, null, 0, round(late.unbooked_cost * stock, 18)), late.last_cost,
        'receipt', clock_timestamp()
      )
      on conflict (shop_id, variant_id) do update
      set average_cost = excluded.average_cost, last_cost = excluded.last_cost, source = excluded.source,
        updated_at = excluded.updated_at;
      update variant
      set unit_cost = late.last_cost, cost_source = 'receipt', cost_at = clock_timestamp()
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
      average_after(stock, book.average_cost, 0, raise), book.last_cost, clock_timestamp()
    );
    update variant_cost
    set average_cost = average_after(stock, book.average_cost, 0, raise), updated_at = clock_timestamp()
    where shop_id = in_shop and variant_id = late.variant_id;
  end loop;
end
$$;

-- The averages of the installed shops begin with the costs that are known.
select graphile_worker.add_job('verify-costs', json_build_object('shopId', s.id), max_attempts => 6)
from shop s
where s.uninstalled_at is null;
