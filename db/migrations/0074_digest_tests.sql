-- A digest without a day is a test: it is not the digest of its day, and a shop may have several.
alter table digest alter column day drop not null;
