-- Until now the reading of orders counted all units of a cancelled order as cancelled, also those that were shipped before. Shops that have
-- stored an order of which everything was cancelled read the orders of their first reading again in the next night. Of two states of an
-- order with the same time the app keeps the one with more changes (`compareStates`): so "changes" of the stored state becomes 0, and the
-- next reading replaces it.
with cancelled as materialized (
  select shop_id, order_gid
  from sale
  where ordered_at > now() - interval '91 days'
  group by shop_id, order_gid
  having sum(cancelled) > 0 and sum(cancelled) = sum(quantity)
),
older as (
  update sale_order o
  set changes = 0
  from cancelled c
  where o.shop_id = c.shop_id and o.order_gid = c.order_gid
)
update sales_reading
set read_until = null, started_at = null, cursor = null
where shop_id in (select shop_id from cancelled);
