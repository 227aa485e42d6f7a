-- Whether the rate of a charge was typed. A charge in the currency of its order without a typed rate follows the rate of the order. The
-- previous release, which inserts charges without the column, does not say it: their rates stay.
alter table purchase_order_charge add column is_rate_typed boolean not null default true;

-- A charge in the currency of its order with its rate has most likely taken it from there; one in the shop's currency has no rate.
update purchase_order_charge c
set is_rate_typed = false
from purchase_order o
where o.shop_id = c.shop_id and o.id = c.purchase_order_id and o.currency = c.currency and o.rate = c.rate;
