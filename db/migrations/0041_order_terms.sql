-- Rounded lines of orders, and the exchange rate that a new order of a currency starts with.

-- Pieces that rounding up to packs, multiple and minimum added to what was wanted; 0 for a typed quantity.
alter table purchase_order_line add column rounded_up_by int not null default 0 check (rounded_up_by >= 0);

-- The last rate of a currency. Most orders are in the shop's currency and have no rate.
create index purchase_order_rate on purchase_order (shop_id, currency, id) where rate is not null;
