-- The time zone whose days "demand_day" has. After a change of the shop's zone all days are rolled up again: a sale is of another day then,
-- and was counted on both or on none. Where the merchant chose another zone than the platform's, the earlier one is not known: null lets the
-- next night roll up all days.
alter table demand_roll_up add column time_zone text;

update demand_roll_up r
set time_zone = coalesce(s.time_zone, 'UTC')
from shop x
left join shop_setting s on s.shop_id = x.id
where x.id = r.shop_id and coalesce(s.time_zone = s.told->>'time_zone', true);
