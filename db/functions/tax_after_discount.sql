-- The current text. A migration that changes the function writes it out again; "npm run schema" updates this file.
CREATE OR REPLACE FUNCTION public.tax_after_discount(line_taxes numeric, subtotal numeric, discount numeric, minor_digits integer)
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case
    -- a discount above the subtotal violates a constraint of the order
    when subtotal > 0 then round(line_taxes * greatest(subtotal - discount, 0) / subtotal, minor_digits)
    else line_taxes
  end
$function$
