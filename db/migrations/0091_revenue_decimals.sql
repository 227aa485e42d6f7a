-- Revenue had two decimals in every currency, and KWD has three. Without a scale the columns need no rewrite; the app rounds to the
-- decimals of the shop's currency. The tables are locked in the order in which the app writes them.
alter table sale_order alter column revenue type numeric;
alter table sale alter column revenue type numeric;
alter table variant_velocity alter column revenue_90d type numeric;
