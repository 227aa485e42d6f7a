-- Variants of which a location sold for the first time after the shop's first sync: earlier releases did not write the days before, on
-- which it had no stock. The next nights roll them up whole, 200 of each 2 000 variants a night.
insert into demand_mark (shop_id, variant_id)
select place.shop_id, place.variant_id
from (
  select shop_id, variant_id, location_id, min(day) as first_day
  from demand_day
  where units > 0
  group by shop_id, variant_id, location_id
) place
join (
  select shop_id, min(finished_at)::date as day from catalog_sync where state = 'done' group by shop_id
) synced on synced.shop_id = place.shop_id
group by place.shop_id, place.variant_id, synced.day
having max(place.first_day) > greatest(min(place.first_day), synced.day)
order by place.shop_id, place.variant_id
on conflict (shop_id, variant_id) do nothing;
