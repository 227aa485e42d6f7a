-- Checks and indexes the mails of before 0065, in a transaction of its own as 0061 does.

alter table outgoing_mail validate constraint outgoing_mail_logo_fkey;

-- after the validation, since mails cannot be written from here to the end of the transaction
create index if not exists outgoing_mail_logo on outgoing_mail (shop_id, logo_id) where logo_id is not null;

-- budgets are listed by id
drop index if exists buying_budget_shop_id_ends_on_id_idx;
