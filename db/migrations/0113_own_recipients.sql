-- The next mail of an order, such as that of a revision, repeats the addresses that the merchant has typed; others follow the supplier and the order.
-- Null in mails of earlier releases, where it is not known: they count as typed.
alter table outgoing_mail
  add column is_own_to boolean,
  add column is_own_cc boolean;
