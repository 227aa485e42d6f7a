-- The API refuses the save of a contact that another user has changed since it was read.
alter table supplier_contact
  add column version integer not null default 1;
