-- Orders that an earlier release cancelled: the time of their last change. It is not part of migration 76, which locks the
-- table for all requests until it ends; this locks only these rows.
update purchase_order set cancelled_at = updated_at where status = 'cancelled' and closed_at is null and cancelled_at is null;
