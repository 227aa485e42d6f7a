-- Whether the rate of a charge was typed. A charge in the currency of its order without a typed rate follows the rate of the order. The
-- previous release inserts charges without the column: the default keeps their rates.
alter table purchase_order_charge add column is_rate_typed boolean not null default true;

-- A charge with the currency and the rate of its order most likely copied the rate. One in the currency of the shop has the rate 1.
update purchase_order_charge c
set is_rate_typed = false
from purchase_order o
left join shop_setting t on t.shop_id = o.shop_id
where o.shop_id = c.shop_id and o.id = c.purchase_order_id
  and (o.currency = c.currency and o.rate = c.rate or c.currency = coalesce(t.currency, 'USD'));
