-- Pushes of single levels that wait are sent in one request. A line keeps the push that it was of, so that a refused request can be
-- taken apart. The release before does not read it: it fails such a push as a whole.

alter table stock_push_line add column packed_push_id bigint;
