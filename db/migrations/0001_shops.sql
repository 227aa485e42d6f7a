-- A shop is a merchant's store that has installed the app. Columns that change often are in separate tables, so that
-- `shop` stays small and can be a reference table on every node when the other tables are distributed by shop_id.

create table shop (
  id bigint generated always as identity primary key,
  domain text not null unique check (domain = lower(domain) and domain <> ''),
  installed_at timestamptz not null default now(),
  uninstalled_at timestamptz
);

-- The platform's access token, sealed by shared/token-cipher.ts. No row: the app is not installed.
create table shop_credential (
  shop_id bigint primary key references shop,
  access_token text not null check (access_token like 'v1:%'),
  updated_at timestamptz not null default now()
);

-- The company details on purchase orders, and the formats of money and dates.
create table shop_setting (
  shop_id bigint primary key references shop,
  company_name text not null default '',
  address text not null default '',
  phone text not null default '',
  email text not null default '',
  currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  time_zone text not null default 'UTC' check (time_zone <> ''),
  locale text not null default 'en-US' check (locale <> ''),
  updated_at timestamptz not null default now()
);
