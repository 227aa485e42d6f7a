-- The service level of a rule is that of the product's ABC class unless the merchant chose one.

-- counts only where service_level is 95, which the release before writes when nothing was chosen: so rules that are here
-- follow the class too, and any other number stays a choice
alter table reorder_rule add column is_level_by_class boolean not null default true;
