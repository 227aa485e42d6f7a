-- The stored counts of 0028: no code has read or written them since 0030. A worker of the release before that removes a
-- shop during the deploy fails at the missing table, and a worker of this release repeats its job.
drop table shop_tally;
alter table product drop column is_tallied;
alter table variant drop column is_aside;
alter table reorder_rule drop column is_tallied;
