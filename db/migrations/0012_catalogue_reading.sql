-- What reading a shop's catalogue, its settings and its webhook subscriptions has to remember.

alter table product
  -- as the platform says: active, draft, archived; empty while order lines are all we know the product from
  add column status text not null default '';

-- The fields that the platform last told. One that still has that value was not changed by the merchant.
alter table shop_setting add column told jsonb not null default '{}';

alter table webhook_subscription_check
  -- null: never looked at
  alter column checked_at drop not null,
  alter column checked_at drop default,
  alter column is_complete set default false,
  -- when the job was last asked for, so that a busy shop asks once and not with every request
  add column requested_at timestamptz;
