-- The dashboard counts in partial indexes instead of correcting the stored counts of the last night (0028).

-- The low rules of a shop by variant; the counted variant is looked up in the next index.
create index reorder_rule_low on reorder_rule (shop_id, variant_id) where is_low;
create index variant_uncounted on variant (shop_id, id) where deleted_at is not null or not is_tracked;

-- The release before uses the table, the columns and the indexes of 0028 while it still runs: the next release drops them.
