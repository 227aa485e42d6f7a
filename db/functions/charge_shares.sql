-- The current text. A migration that changes the function writes it out again; "npm run schema" updates this file.
CREATE OR REPLACE FUNCTION public.charge_shares(in_shop bigint, in_order bigint)
 RETURNS TABLE(charge_id bigint, kind text, line_id bigint, amount numeric)
 LANGUAGE plpgsql
 STABLE ROWS 20
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
#variable_conflict use_column
begin
  return query
  select c.id, c.kind, share.line_id, share.amount
  from purchase_order_charge c
  left join shop_setting t on t.shop_id = in_shop
  cross join lateral (
    select array_agg(l.id order by l.position) as line_ids,
      array_agg(
        case c.basis
          when 'value' then l.line_total
          when 'quantity' then l.quantity
          when 'weight' then coalesce(l.weight_grams, v.weight_grams, 0) * l.quantity
          else coalesce((c.shares->>(l.id::text))::numeric, 0)
        end
        order by l.position
      ) as weights
    from purchase_order_line l
    join variant v on v.shop_id = in_shop and v.id = l.variant_id
    where l.shop_id = in_shop and l.purchase_order_id = in_order
      and (
        c.line_ids is null or l.id = any(c.line_ids)
        -- all of them were removed: the charge is of the whole order
        or not exists (
          select from purchase_order_line x
          where x.shop_id = in_shop and x.purchase_order_id = in_order and x.id = any(c.line_ids)
        )
      )
  ) lines
  cross join lateral unnest(
    lines.line_ids, allocate(c.amount * c.rate, minor_digits(coalesce(t.currency, 'USD')), lines.weights)
  ) as share (line_id, amount)
  where c.shop_id = in_shop and c.purchase_order_id = in_order;
end
$function$
