-- Demand by day and location, and the forecasts that are computed from it every night.

-- Units sold by shop day. A day without a row was in stock and sold nothing. Days without stock are stored until 364
-- days after the variant's last sale, for the locations that sell it.
create table demand_day (
  shop_id bigint not null references shop,
  variant_id bigint not null,
  location_id bigint not null,
  day date not null,
  units int not null default 0,
  -- false: the location had no stock at the start of the day, and sold nothing
  in_stock boolean not null,
  -- no location had stock, and none sold
  is_sold_out boolean not null default false,
  primary key (shop_id, variant_id, location_id, day),
  foreign key (shop_id, variant_id) references variant (shop_id, id),
  foreign key (shop_id, location_id) references location (shop_id, id)
);

-- Variants whose sales of earlier days changed: all their days are rolled up again.
create table demand_mark (
  shop_id bigint not null,
  variant_id bigint not null,
  primary key (shop_id, variant_id),
  foreign key (shop_id, variant_id) references variant (shop_id, id)
);

-- How far the demand of a shop is rolled up.
create table demand_roll_up (
  shop_id bigint primary key references shop,
  -- all days up to this one are rolled up; null before the first run
  rolled_until date,
  -- the day to which the run under way rolls up
  rolling_to date,
  -- since when sales were known; an earlier day rolls up everything again
  known_day date
);

-- What the merchant knows about demand: a promotion, a fair, a closed week; or growth in general.
create table demand_event (
  shop_id bigint not null references shop,
  id bigint generated always as identity,
  name text not null check (name <> ''),
  -- event: the days differ, in the past too; growth: the forecast changes, the past does not
  kind text not null check (kind in ('event', 'growth')),
  scope text not null check (scope in ('shop', 'product_type', 'vendor', 'variant')),
  -- the product type or the vendor
  scope_value text not null default '',
  variant_id bigint,
  starts_on date not null,
  -- null: without an end
  ends_on date,
  -- demand on these days, by the usual demand: 2 is twice as much
  factor numeric(7, 4) not null check (factor between 0 and 100),
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (shop_id, id),
  foreign key (shop_id, variant_id) references variant (shop_id, id),
  constraint demand_event_dates check (ends_on >= starts_on),
  constraint demand_event_scope check ((scope = 'variant') = (variant_id is not null))
);

create index on demand_event (shop_id, id desc);

-- What the products of a type have in common.
create table type_profile (
  shop_id bigint not null references shop,
  id bigint generated always as identity,
  -- '' : products without a type; null: the whole shop
  product_type text,
  -- the Monday after the last week that was read
  week date not null,
  -- seasonal indices of 52 weeks, by the number of the week since 5 January 1970
  indices double precision[] not null,
  -- errors of the models in backtests, by pattern of demand
  errors jsonb not null,
  -- mean units of a variant in the weeks after its first day
  launch double precision[] not null,
  -- how many variants had these first weeks
  launches int not null,
  primary key (shop_id, id),
  unique nulls not distinct (shop_id, product_type)
);

-- The forecast of a variant, of all locations (null) or of one that a rule names.
create table variant_forecast (
  shop_id bigint not null,
  id bigint generated always as identity,
  variant_id bigint not null,
  location_id bigint,
  -- the Monday of the first week ahead
  week date not null,
  model text not null,
  weights jsonb not null,
  parameters jsonb not null,
  -- of the backtest; null: not known
  wape double precision,
  bias double precision,
  -- units of the weeks ahead, with events and growth
  units double precision[] not null,
  -- of one week
  standard_error double precision not null,
  -- a new product: the numbers are those of its type
  is_of_type boolean not null default false,
  -- demand or events changed since
  is_stale boolean not null default false,
  computed_at timestamptz not null,
  primary key (shop_id, id),
  unique nulls not distinct (shop_id, variant_id, location_id),
  foreign key (shop_id, variant_id) references variant (shop_id, id),
  foreign key (shop_id, location_id) references location (shop_id, id)
);

-- What was forecast for past weeks, to say later how wrong it was.
create table forecast_week (
  shop_id bigint not null,
  variant_id bigint not null,
  week date not null,
  units double precision not null,
  primary key (shop_id, week, variant_id),
  foreign key (shop_id, variant_id) references variant (shop_id, id)
);

create index on forecast_week (shop_id, variant_id);
