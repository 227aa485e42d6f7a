-- Installation of the app by OAuth. A shop that installs the app again after an uninstall gets a new row, so that the
-- removal of the old data never affects the new installation.

alter table shop drop constraint shop_domain_key;
create unique index shop_installed_domain on shop (domain) where uninstalled_at is null;

-- The OAuth state of an unfinished installation. Valid once, for ten minutes. Only its hash is stored.
create table oauth_state (
  state_hash bytea primary key,
  shop_domain text not null,
  created_at timestamptz not null default now()
);

create index on oauth_state (created_at);

alter table shop_credential
  add column scopes text not null default '',
  -- null for a token that does not expire
  add column expires_at timestamptz,
  add column refresh_token text check (refresh_token like 'v1:%'),
  -- the lock of the process that fetches a new token; other processes wait
  add column refreshing_until timestamptz,
  -- the platform has refused the token; it is not used again
  add column revoked_at timestamptz;

-- The last check of the shop's webhook subscriptions, and whether all of them existed.
create table webhook_subscription_check (
  shop_id bigint primary key references shop,
  checked_at timestamptz not null default now(),
  is_complete boolean not null
);
