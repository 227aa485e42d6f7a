-- Installing the app by OAuth. A shop that comes back after it has uninstalled the app gets a row of its own, so
-- that what is still being removed of its first installation never touches the second.

alter table shop drop constraint shop_domain_key;
create unique index shop_installed_domain on shop (domain) where uninstalled_at is null;

-- What a merchant takes along to the platform and brings back, once, within ten minutes. Only a hash is kept.
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
  -- a process that fetches a new token holds it until then; the others wait
  add column refreshing_until timestamptz,
  -- the platform has refused the token: nothing is asked with it any more
  add column revoked_at timestamptz;

-- When the shop's webhook subscriptions were last looked at, and whether all were there.
create table webhook_subscription_check (
  shop_id bigint primary key references shop,
  checked_at timestamptz not null default now(),
  is_complete boolean not null
);
