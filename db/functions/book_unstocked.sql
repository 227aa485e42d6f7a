-- The current text. A migration that changes the function writes it out again; "npm run schema" updates this file.
CREATE OR REPLACE FUNCTION public.book_unstocked(in_shop bigint, in_order bigint, in_receipt bigint)
 RETURNS void
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
declare
  rate numeric;
begin
  if not exists (
    select
    from receipt r
    join receipt_line x on x.shop_id = in_shop and x.receipt_id = r.id and not x.is_stocked and x.quantity > 0
    where r.shop_id = in_shop and r.purchase_order_id = in_order and r.id = coalesce(in_receipt, r.id) and not r.is_imported
      and r.state = 'posted' and r.reversed_at is null
  ) then
    return;
  end if;
  rate := receipt_rate(in_shop, in_order);

  update variant v
  set unit_cost = paid.cost, cost_source = 'receipt', cost_at = paid.posted_at
  from (
    select distinct on (line.variant_id) line.variant_id, coalesce(r.posted_at, r.created_at) as posted_at,
      least(round(goods.cost + line.share / line.quantity, 4), 1e14) as cost
    from receipt r
    join receipt_line x on x.shop_id = in_shop and x.receipt_id = r.id and not x.is_stocked and x.quantity > 0
    join landed_lines(in_shop, in_order) line on line.line_id = x.purchase_order_line_id
    cross join lateral (
      select case when x.unit_cost is null then line.goods_cost else x.unit_cost * rate end as cost
    ) goods
    where r.shop_id = in_shop and r.purchase_order_id = in_order and r.id = coalesce(in_receipt, r.id) and not r.is_imported
      and r.state = 'posted' and r.reversed_at is null and goods.cost is not null
    order by line.variant_id, coalesce(r.posting_no, r.id) desc, line.position desc
  ) paid
  left join variant_cost c on c.shop_id = in_shop and c.variant_id = paid.variant_id
  where v.shop_id = in_shop and v.id = paid.variant_id
    and (
      in_receipt is not null
      or v.unit_cost is distinct from paid.cost
        and (v.cost_at is null or unit_cost_at(in_shop, v.id, v.cost_source, v.cost_at) <= paid.posted_at)
        and (c.variant_id is null or c.last_cost is not null)
        -- a cost of the platform is as old as the change there, so the ledger says when it came
        and (coalesce(v.cost_source, 'receipt') = 'receipt' or not exists (
          select from cost_movement m
          where m.shop_id = in_shop and m.variant_id = v.id and m.occurred_at > paid.posted_at
        ))
    );
end
$function$
