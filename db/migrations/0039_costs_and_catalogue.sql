-- Costs with their source, more facts of products, and the instants by which older reports of the platform are dropped.

alter table product
  -- null while the platform has not reported them
  add column vendor text,
  add column product_type text,
  add column tags text[];

-- For the filters of lists and reports.
create index product_vendor on product (shop_id, vendor);
create index product_type on product (shop_id, product_type);
create index product_tags on product using gin (shop_id, tags);

alter table variant
  -- the origin of `unit_cost`, and its time; null while the cost is unknown
  add column cost_source text,
  add column cost_at timestamptz,
  -- the platform's last cost: a report that repeats it is no new cost, although another field of the item has changed
  add column platform_cost numeric(19, 4),
  -- when the platform last changed the inventory item, which has the cost and whether stock is tracked
  add column item_updated_at timestamptz;

-- Not validated: all rows are null now, and a validation reads the whole table under an exclusive lock.
alter table variant
  add constraint variant_cost_source_check check (cost_source in ('platform', 'receipt', 'import', 'manual')) not valid;

-- Until now only receipts wrote costs.
update variant v
set cost_source = 'receipt',
  cost_at = coalesce(
    (
      select max(r.created_at)
      from purchase_order_line l
      join receipt_line x on x.shop_id = l.shop_id and x.purchase_order_line_id = l.id
      join receipt r on r.shop_id = x.shop_id and r.id = x.receipt_id
      where l.shop_id = v.shop_id and l.variant_id = v.id
    ),
    v.updated_at
  )
where v.unit_cost is not null;

-- When the platform last changed the location.
alter table location add column source_updated_at timestamptz;

alter table catalog_sync
  -- what started it
  add column cause text not null default 'merchant'
    check (cause in ('installation', 'merchant', 'upgrade', 'weekly', 'repair')),
  -- the version of the fields that it reads; a shop whose last sync read fewer is read again (`shared/domain/exchange/sync/due.ts`)
  add column fields_version int not null default 0;
