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

-- As before, but the shares of the charges are computed once and not for each line.
create or replace function landed_lines(in_shop bigint, in_order bigint)
returns table (line_id bigint, variant_id bigint, quantity int, goods_cost numeric, share numeric)
language sql stable
as $$
  select l.id, l.variant_id, l.quantity,
    (l.cost_price * (1 - l.discount_percent / 100))::numeric(60, 30)
      * case when coalesce(o.currency, t.currency, 'USD') = coalesce(t.currency, 'USD') then 1 else o.rate end
      * (1 - case when o.subtotal > 0 then o.discount::numeric(60, 30) / o.subtotal else 0 end),
    coalesce(s.amount, 0)
  from purchase_order o
  join purchase_order_line l on l.shop_id = o.shop_id and l.purchase_order_id = o.id
  left join shop_setting t on t.shop_id = o.shop_id
  left join (
    select line_id, sum(amount) as amount from charge_shares(in_shop, in_order) group by line_id
  ) s on s.line_id = l.id
  where o.shop_id = in_shop and o.id = in_order
$$;
