-- A level that the platform no longer listed got the time of the reading, so it stayed 0 when the platform listed it again with an older
-- time, as after its location is activated. It gets back the time of the last update before. Times of the platform have whole
-- seconds, those of readings have not.
update stock_level l
set platform_updated_at = coalesce((
  select max(m.occurred_at)
  from stock_movement m
  where m.shop_id = l.shop_id and m.variant_id = l.variant_id and m.location_id = l.location_id
    and m.kind = 'platform' and m.occurred_at < l.platform_updated_at
), 'epoch')
where l.platform_quantity = 0 and l.platform_updated_at <> date_trunc('second', l.platform_updated_at);
