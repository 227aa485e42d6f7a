-- The addresses of locations, for "ship to" on purchase orders, and what each mail said when it was sent.

alter table location
  -- as the platform reports them; '' where it has none, or until a catalogue sync of this release
  add column address1 text not null default '',
  add column address2 text not null default '',
  add column city text not null default '',
  add column province text not null default '',
  add column zip text not null default '',
  add column country text not null default '',
  add column country_code text not null default '',
  add column phone text not null default '';

alter table outgoing_mail
  -- the order document at the time of sending; null without a recipient, and for mails of the release before
  add column content jsonb,
  -- of the attachment in the last request to the mail service, in hexadecimal; null before the first one
  add column pdf_sha256 text check (pdf_sha256 ~ '^[0-9a-f]{64}$');
