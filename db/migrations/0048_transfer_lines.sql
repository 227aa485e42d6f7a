-- Transfers by line: what was shipped, arrived, was lost or damaged, and went back, with the history of each transfer.

alter table stock_transfer
  drop constraint stock_transfer_status_check,
  add constraint stock_transfer_status_check check (status in ('pending', 'in_transit', 'partial', 'completed', 'cancelled'));

-- Always shipped = received + lost + damaged + returned + in transit.
alter table stock_transfer_item
  add column shipped int not null default 0 check (shipped >= 0),
  add column received int not null default 0 check (received >= 0),
  add column lost int not null default 0 check (lost >= 0),
  add column damaged int not null default 0 check (damaged >= 0),
  -- to the source
  add column returned int not null default 0 check (returned >= 0),
  add check (shipped <= quantity);

update stock_transfer_item i
set shipped = i.quantity,
  received = case t.status when 'completed' then i.quantity else 0 end,
  returned = case t.status when 'cancelled' then i.quantity else 0 end
from stock_transfer t
where t.shop_id = i.shop_id and t.id = i.transfer_id
  and (t.status in ('in_transit', 'completed') or t.shipped_at is not null);

alter table stock_transfer_item
  add column in_transit int not null generated always as (shipped - received - lost - damaged - returned) stored
    check (in_transit >= 0);

create index stock_transfer_item_in_transit on stock_transfer_item (shop_id, variant_id) where in_transit > 0;

-- What a person did with a transfer. A row changes once, when it is reversed.
create table stock_transfer_event (
  shop_id bigint not null,
  id bigint not null generated always as identity,
  transfer_id bigint not null,
  kind text not null check (kind in ('ship', 'receive', 'close', 'complete', 'cancel')),
  actor text not null,
  occurred_at timestamptz not null,
  -- of the request, to recognise a double click
  fingerprint bytea,
  reversed_at timestamptz,
  reversed_by text,
  primary key (shop_id, id),
  foreign key (shop_id, transfer_id) references stock_transfer (shop_id, id) on delete cascade
);

create index on stock_transfer_event (shop_id, transfer_id, id desc);

create table stock_transfer_event_item (
  shop_id bigint not null,
  event_id bigint not null,
  -- of the transfer's item
  position int not null,
  variant_id bigint not null,
  shipped int not null check (shipped >= 0),
  received int not null check (received >= 0),
  lost int not null check (lost >= 0),
  damaged int not null check (damaged >= 0),
  returned int not null check (returned >= 0),
  -- of a lost or damaged piece, in the shop's currency: the average that was booked; null when it was not known
  loss_cost numeric(38, 18),
  primary key (shop_id, event_id, position),
  foreign key (shop_id, event_id) references stock_transfer_event (shop_id, id) on delete cascade,
  foreign key (shop_id, variant_id) references variant (shop_id, id)
);

alter table cost_movement
  drop constraint cost_movement_cause_check,
  add constraint cost_movement_cause_check check (
    cause in ('opening', 'platform', 'import', 'manual', 'receipt', 'reversal', 'charge', 'return', 'loss', 'repair')
  ) not valid;

alter table cost_movement validate constraint cost_movement_cause_check;

-- A process of the release before writes the status only. A statement of this release has written the items as well, so this
-- changes none of them.
create function follow_transfer_status() returns trigger
language plpgsql
as $$
begin
  if new.status in ('in_transit', 'completed') and not exists (
    select from stock_transfer_item i where i.shop_id = new.shop_id and i.transfer_id = new.id and i.shipped > 0
  ) then
    update stock_transfer_item i set shipped = i.quantity where i.shop_id = new.shop_id and i.transfer_id = new.id;
  end if;
  if new.status in ('completed', 'cancelled') then
    update stock_transfer_item i
    set received = i.received + case new.status when 'completed' then i.in_transit else 0 end,
      returned = i.returned + case new.status when 'cancelled' then i.in_transit else 0 end
    where i.shop_id = new.shop_id and i.transfer_id = new.id and i.in_transit > 0;
  end if;
  return null;
end
$$;

create trigger follow_transfer_status after update of status on stock_transfer
for each row when (old.status is distinct from new.status) execute function follow_transfer_status();

-- What the shop has of each variant: on hand at its locations (a level that was never read counts as its available
-- quantity), and in transit between them.
create or replace function shop_stock(in_shop bigint, variant_ids bigint[])
returns table (variant_id bigint, on_hand bigint)
language plpgsql stable rows 20
set plan_cache_mode to 'force_generic_plan'
set enable_seqscan to 'off'
as $$
#variable_conflict use_column
begin
  return query
  select id,
    coalesce((
      select sum(coalesce(l.on_hand, l.quantity))::bigint from stock_level l where l.shop_id = in_shop and l.variant_id = id
    ), 0)
    + coalesce((
      select sum(i.in_transit)::bigint
      from stock_transfer_item i
      where i.shop_id = in_shop and i.variant_id = id and i.in_transit > 0
    ), 0)
  from unnest(variant_ids) as id;
end
$$;
