-- Revenue had two decimals in every currency, and KWD has three. Without a scale the columns need no rewrite; the app rounds to the
-- decimals of the shop's currency.
alter table sale alter column revenue type numeric;
alter table sale_order alter column revenue type numeric;
alter table variant_velocity alter column revenue_90d type numeric;
-- Shops with such a currency read the orders of the last 60 days again in the next night. Of two states of an order with the same time
-- the app keeps the lower revenue: the stored one must not be the lower one because it was rounded down.
update sale_order o
set revenue = o.revenue + 0.005
from shop_setting s
where s.shop_id = o.shop_id and minor_digits(s.currency) = 3 and o.updated_at > now() - interval '61 days';
update sales_reading r
set read_until = null, started_at = null, cursor = null
from shop_setting s
where s.shop_id = r.shop_id and minor_digits(s.currency) = 3;
