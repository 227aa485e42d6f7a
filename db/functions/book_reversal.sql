-- The current text. A migration that changes the function writes it out again; "npm run schema" updates this file.
CREATE OR REPLACE FUNCTION public.book_reversal(in_shop bigint, in_receipt bigint, variant_ids bigint[], in_actor text)
 RETURNS void
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
begin
  perform from variant where shop_id = in_shop and id = any(variant_ids) order by id for no key update;

  with booked as (
    select m.variant_id, sum(m.quantity)::bigint as quantity, sum(m.value) as value, min(m.reference) as reference
    from cost_movement m
    where m.shop_id = in_shop and m.receipt_id = in_receipt and m.variant_id = any(variant_ids)
    group by m.variant_id
  ),
  leaving as (
    select b.*, s.on_hand, c.average_cost, c.last_cost as cost_before,
      case when c.last_cost is not null then coalesce(earlier.last_cost, c.last_cost) end as last_cost,
      earlier.source,
      s.on_hand > b.quantity and s.on_hand * c.average_cost >= b.value as is_exact
    from booked b
    join shop_stock(in_shop, variant_ids) s on s.variant_id = b.variant_id
    join variant_cost c on c.shop_id = in_shop and c.variant_id = b.variant_id
    -- the newest cost that is of no reversed receipt, as the caller has marked this one; without one, the last cost stays
    left join lateral (
      select m.last_cost_after as last_cost,
        case m.cause when 'charge' then 'receipt' else m.cause end as source
      from cost_movement m
      where m.shop_id = in_shop and m.variant_id = b.variant_id and m.last_cost_after is not null
        -- the other causes repeat the last cost, but for a charge that brought the first cost of its receipt
        and (m.cause in ('opening', 'platform', 'import', 'manual', 'receipt') or m.cause = 'charge' and m.average_before is null)
        and not exists (
          select from receipt r where r.shop_id = in_shop and r.id = m.receipt_id and r.reversed_at is not null
        )
        -- a line without a cost repeats the last cost, too
        and not exists (
          select from direct_receipt_line x
          where x.shop_id = in_shop and x.variant_id = m.variant_id and x.receipt_id = m.receipt_id and x.unit_cost is null
        )
      order by m.id desc
      limit 1
    ) earlier on true
    where b.quantity > 0
  ),
  written as (
    insert into cost_movement (
      shop_id, variant_id, cause, receipt_id, reference, actor, quantity, unit_cost, value, variance, on_hand_before,
      average_before, average_after, last_cost_after, occurred_at
    )
    select in_shop, l.variant_id, 'reversal', in_receipt, l.reference, in_actor, -l.quantity,
      round(l.value / l.quantity, 18), -paid.out, paid.out - l.value, l.on_hand, l.average_cost,
      average_after(l.on_hand, l.average_cost, -l.quantity, -paid.out), l.last_cost, clock_timestamp()
    from leaving l
    cross join lateral (select case when l.is_exact then l.value else l.quantity * l.average_cost end as out) paid
    order by l.variant_id
    returning variant_id, average_after, last_cost_after, occurred_at
  ),
  stored as (
    update variant_cost c
    set average_cost = w.average_after, last_cost = w.last_cost_after, updated_at = w.occurred_at
    from written w
    where c.shop_id = in_shop and c.variant_id = w.variant_id
  )
  update variant v
  set unit_cost = l.last_cost, cost_at = now(),
    cost_source = case
      when l.source <> 'opening' then l.source
      when v.platform_cost = l.last_cost then 'platform'
      else 'manual'
    end
  from leaving l
  where v.shop_id = in_shop and v.id = l.variant_id and v.unit_cost = l.cost_before and l.last_cost <> l.cost_before;
end
$function$
