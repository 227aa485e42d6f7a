-- More columns for the sync of a shop's catalogue, settings and webhook subscriptions.

alter table product
  -- the status on the platform: active, draft, archived; empty while the product is known only from order lines
  add column status text not null default '';

-- The platform's last values. The merchant has not changed a field that still has that value.
alter table shop_setting add column told jsonb not null default '{}';

alter table webhook_subscription_check
  -- null: never checked
  alter column checked_at drop not null,
  alter column checked_at drop default,
  alter column is_complete set default false,
  -- when the check was last requested, so that a busy shop does not request it with every API call
  add column requested_at timestamptz;
