-- Not part of migration 79, which locks out readers until its end.
alter table import_target validate constraint import_target_target_check;

-- The lines that imports added to an order: each batch of an import or a revert reads those of its orders.
create index import_target_parent on import_target (shop_id, parent_id) where parent_id is not null;
