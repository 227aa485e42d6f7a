-- Releases before migration 39 stored the cost of a receipt without its source. It showed as one of the platform that the platform does not have,
-- and each reader had to know that.
update variant
set cost_source = 'receipt'
where cost_source = 'platform' and unit_cost is distinct from platform_cost and unit_cost is not null and pushed_at is null;
