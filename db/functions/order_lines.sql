-- The current text. A migration that changes the function writes it out again; "npm run schema" updates this file.
CREATE OR REPLACE FUNCTION public.order_lines(lines jsonb)
 RETURNS TABLE(id bigint, "position" integer, variant_id bigint, sku text, title text, is_own_sku boolean, is_own_title boolean, quantity integer, cost_price numeric, is_cost_known boolean, supplier_sku text, pack_size integer, discount_percent numeric, tax_rate numeric, rounded_up_by integer, minor_digits smallint, line_total numeric, line_tax numeric)
 LANGUAGE sql
 STABLE
AS $function$
  select line.*, amount.line_total, round(amount.line_total * line.tax_rate / 100, line.minor_digits)
  from jsonb_to_recordset(lines) as line (
    id bigint, position integer, variant_id bigint, sku text, title text, is_own_sku boolean, is_own_title boolean, quantity integer,
    cost_price numeric, is_cost_known boolean, supplier_sku text, pack_size integer, discount_percent numeric, tax_rate numeric,
    rounded_up_by integer, minor_digits smallint
  )
  cross join lateral (
    select round(line.quantity * line.cost_price * (1 - line.discount_percent / 100), line.minor_digits) as line_total
  ) amount
$function$
