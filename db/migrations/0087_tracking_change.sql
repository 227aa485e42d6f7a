-- When the platform began or ended to track a variant: the inventory value of a day before counts it as it was then.
alter table variant add column tracking_changed_at timestamptz;
