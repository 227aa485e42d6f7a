-- Orders are listed by due date, total and supplier; views of lists are stored for the shop.

-- The expected date, else the date of sending plus the supplier's lead time: an index on it needs a column. The release before
-- this one does not write it, so the nightly check of overdue orders does (`followDueDates`).
alter table purchase_order add column due_at timestamptz;

update purchase_order o
set due_at = coalesce(o.expected_at, o.sent_at + make_interval(days => s.lead_time_days))
from supplier s
where s.shop_id = o.shop_id and s.id = o.supplier_id
  and coalesce(o.expected_at, o.sent_at + make_interval(days => s.lead_time_days)) is not null;

-- orders without a due date are last in both directions
create index purchase_order_due on purchase_order (shop_id, coalesce(due_at, 'infinity'::timestamptz), id);
create index purchase_order_due_last on purchase_order (shop_id, coalesce(due_at, '-infinity'::timestamptz), id);
create index purchase_order_due_open on purchase_order (shop_id, coalesce(due_at, 'infinity'::timestamptz), id)
  where status in ('sent', 'partial');
-- totals compare in the shop's currency
create index purchase_order_total on purchase_order (shop_id, (total * coalesce(rate, 1::numeric)), id);
create index purchase_order_destination on purchase_order (shop_id, destination_location_id, id desc)
  where destination_location_id is not null;
create index supplier_name on supplier (shop_id, lower(name), id);
create index outgoing_mail_undelivered on outgoing_mail (shop_id, purchase_order_id)
  where state in ('failed', 'unknown');

-- Filters, sort and columns of a list under a name.
create table list_view (
  shop_id bigint not null references shop,
  id bigint not null generated always as identity,
  list text not null,
  name text not null,
  -- filters and sort as in the address of the page, and the shown columns
  state jsonb not null,
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (shop_id, id)
);

create unique index list_view_name on list_view (shop_id, list, lower(name));
