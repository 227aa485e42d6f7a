-- The current text. A migration that changes the function writes it out again; "npm run schema" updates this file.
CREATE OR REPLACE FUNCTION public.scan_code(code text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case
    when code ~ '^[0-9]{8,14}$' then coalesce(nullif(ltrim(code, '0'), ''), '0')
    else lower(code)
  end
$function$
