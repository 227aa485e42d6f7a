-- The current text. A migration that changes the function writes it out again; "npm run schema" updates this file.
CREATE OR REPLACE FUNCTION public.allocate(amount numeric, digits integer, weights numeric[])
 RETURNS numeric[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  with given as (
    select place, case when sum(weight) over () = 0 then 1 else weight end as weight,
      round(amount * 10::numeric ^ digits) as units
    from unnest(weights) with ordinality as w (weight, place)
  ),
  split as (
    select place, units, div(units * weight, sum(weight) over ()) as share,
      mod(units * weight, sum(weight) over ()) as rest
    from given
  ),
  ranked as (
    select place, share, units - sum(share) over () as left_over, row_number() over (order by rest desc, place) as at
    from split
  )
  select coalesce(
    array_agg(round((share + case when at <= left_over then 1 else 0 end) / 10::numeric ^ digits, digits) order by place),
    '{}'
  )
  from ranked
$function$
