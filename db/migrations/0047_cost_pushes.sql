-- Costs that the worker writes to the platform, and what recognises their echo.

alter table shop_setting
  add column cost_write_back text not null default 'off' check (cost_write_back in ('off', 'last', 'average'));

alter table variant
  -- the last costs that the app sent, newest first, with the time of the newest: a report that repeats one soon after is an echo
  add column pushed_costs numeric(19, 4)[],
  add column pushed_at timestamptz;

-- The cost that the platform should have, one row for each variant until the platform has it.
create table cost_push (
  shop_id bigint not null,
  variant_id bigint not null,
  cost numeric(19, 4) not null check (cost >= 0),
  requested_at timestamptz not null,
  -- the job that sends it; another job may take it after five minutes
  claimed_by text,
  claimed_at timestamptz,
  attempts int not null default 0,
  -- the platform will never accept it; a new cost is tried again
  failed_at timestamptz,
  reason text not null default '',
  primary key (shop_id, variant_id),
  foreign key (shop_id, variant_id) references variant (shop_id, id)
);

create index cost_push_waiting on cost_push (shop_id, requested_at) where failed_at is null;

-- Reports of what was paid read the receipts' bookings by day.
create index cost_movement_received on cost_movement (shop_id, occurred_at) where cause = 'receipt';

-- As before, but in plpgsql: Postgres would merge them into the statement that reads them and compute them again for each of its
-- lines. A receipt of 10 lines took half a second, and one of 100 was given up. `enable_seqscan = off` keeps a plan from scanning tables
-- that were small when it was made.
create or replace function charge_shares(in_shop bigint, in_order bigint)
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

create or replace function landed_lines(in_shop bigint, in_order bigint)
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

create or replace function receipt_values(in_shop bigint, in_order bigint)
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
    (array_agg(round(arrived.goods_cost + arrived.share / arrived.ordered, 4) order by arrived.position desc))[1]
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

create or replace function shop_stock(in_shop bigint, variant_ids bigint[])
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

alter function book_receipt(bigint, bigint, bigint, text) set enable_seqscan to 'off';
alter function book_reversal(bigint, bigint, bigint[], text) set enable_seqscan to 'off';
alter function book_late_costs(bigint, bigint, text) set enable_seqscan to 'off';
