-- Placeholder of the branch "on-hand": the release has another migration with this number.
select 1;
