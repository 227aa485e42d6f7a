-- The current text. A migration that changes the function writes it out again; "npm run schema" updates this file.
CREATE OR REPLACE FUNCTION public.average_after(on_hand bigint, average numeric, quantity bigint, value numeric)
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case
    when quantity > 0 and (on_hand <= 0 or average is null) then round(value::numeric(60, 30) / quantity, 18)
    when quantity > 0 then round((on_hand * average + value)::numeric(60, 30) / (on_hand + quantity), 18)
    when quantity < 0 and on_hand + quantity > 0 and on_hand * average + value >= 0
      then round((on_hand * average + value)::numeric(60, 30) / (on_hand + quantity), 18)
    when quantity = 0 and on_hand > 0 and average is null then round(value::numeric(60, 30) / on_hand, 18)
    when quantity = 0 and on_hand > 0 and average + value / on_hand >= 0
      then round(average + value::numeric(60, 30) / on_hand, 18)
    else average
  end
$function$
