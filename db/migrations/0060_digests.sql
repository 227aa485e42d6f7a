-- The daily digest by e-mail: its settings, a row per shop and day, and a mail per recipient.

create table digest_setting (
  shop_id bigint primary key references shop,
  is_on boolean not null default false,
  -- of the shop's day
  hour smallint not null default 8 check (hour between 0 and 23),
  recipients text[] not null default '{}' check (cardinality(recipients) <= 5),
  -- no digest of an earlier day: the hour of the day before had passed when the merchant turned the digest on
  first_day date not null,
  updated_at timestamptz not null,
  constraint digest_has_recipient check (not is_on or cardinality(recipients) > 0)
);

create index on digest_setting (shop_id) where is_on;

create table digest (
  shop_id bigint not null references shop,
  id bigint not null generated always as identity,
  -- of the shop; the unique key makes sure that several workers make one digest
  day date not null,
  state text not null default 'due' check (state in ('due', 'made', 'nothing_new', 'skipped')),
  -- what the mails contain; only of a digest with mails
  content jsonb,
  -- the keys of all that needed attention, of the newest computed digest: what is in here is not new the next day
  seen text[],
  created_at timestamptz not null,
  primary key (shop_id, id),
  unique (shop_id, day)
);

create index on digest (created_at);

-- States as in outgoing_mail; withdrawn: the recipient was removed before the mail was sent.
create table digest_mail (
  shop_id bigint not null,
  id bigint not null generated always as identity,
  digest_id bigint not null,
  recipient text not null,
  -- metadata of the mail, by which the mail service finds it
  reference uuid not null default gen_random_uuid(),
  state text not null default 'queued'
    check (state in ('queued', 'sending', 'sent', 'failed', 'unknown', 'withdrawn')),
  reason text not null default '',
  message_id text not null default '',
  -- the last request to the mail service
  requested_at timestamptz,
  request_count int not null default 0,
  settled_at timestamptz,
  primary key (shop_id, id),
  unique (shop_id, digest_id, recipient),
  foreign key (shop_id, digest_id) references digest (shop_id, id) on delete cascade
);
