-- Two users that edit one contact of a supplier: the version tells the second that the first has saved.
alter table supplier_contact
  add column version integer not null default 1;
