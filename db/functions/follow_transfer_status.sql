-- The current text. A migration that changes the function writes it out again; "npm run schema" updates this file.
CREATE OR REPLACE FUNCTION public.follow_transfer_status()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.status in ('in_transit', 'completed') and not exists (
    select from stock_transfer_item i where i.shop_id = new.shop_id and i.transfer_id = new.id and i.shipped > 0
  ) then
    update stock_transfer_item i set shipped = i.quantity where i.shop_id = new.shop_id and i.transfer_id = new.id;
  end if;
  if new.status in ('completed', 'cancelled') then
    update stock_transfer_item i
    set received = i.received + case new.status when 'completed' then i.in_transit else 0 end,
      returned = i.returned + case new.status when 'cancelled' then i.in_transit else 0 end
    where i.shop_id = new.shop_id and i.transfer_id = new.id and i.in_transit > 0;
  end if;
  return null;
end
$function$
