-- A version for demand events, and the weekly number that a person enters for a variant.

alter table demand_event add column version int not null default 1;

-- What a person expects of a variant: it replaces the computed forecast.
create table forecast_entry (
  shop_id bigint not null,
  variant_id bigint not null,
  -- null: the person took the number back
  units_per_week numeric(12, 2) check (units_per_week >= 0),
  version int not null default 1,
  entered_by text not null,
  entered_at timestamptz not null,
  primary key (shop_id, variant_id),
  foreign key (shop_id, variant_id) references variant (shop_id, id)
);
