-- Everything of a shop as one ZIP file: the job that writes it, and the file in parts.

create table export (
  shop_id bigint not null references shop,
  id bigint not null generated always as identity,
  state text not null default 'running' check (state in ('running', 'done', 'failed')),
  -- the attempt that may write: each attempt begins the file again
  attempt int not null default 0,
  progress numeric(4, 3) not null default 0 check (progress between 0 and 1),
  file_name text not null default '',
  file_count int not null default 0,
  row_count bigint not null default 0,
  size bigint not null default 0,
  sha256 bytea,
  error text not null default '',
  created_by text not null,
  created_at timestamptz not null,
  -- when a part or the end was stored: an export without progress gets another job
  progressed_at timestamptz not null,
  finished_at timestamptz,
  primary key (shop_id, id),
  constraint export_done_has_hash check ((state = 'done') = (sha256 is not null))
);

create unique index export_running on export (shop_id) where state = 'running';
create index on export (created_at);

create table export_part (
  shop_id bigint not null,
  export_id bigint not null,
  -- from 0, without gaps
  part int not null check (part >= 0),
  bytes bytea not null check (octet_length(bytes) between 1 and 524288),
  primary key (shop_id, export_id, part),
  foreign key (shop_id, export_id) references export (shop_id, id) on delete cascade
);

-- the parts of a ZIP file are compressed already
alter table export_part alter column bytes set storage external;
