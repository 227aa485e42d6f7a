-- A settings page of the digest that is older than an unsubscription must not add the recipient again.
alter table digest_setting add column version int not null default 1;

-- Levels that a revert changed back; null for reverts before this column, and until the import is reverted.
alter table stock_import add column reverted_count int;
