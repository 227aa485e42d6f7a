-- Until now the app counted the tax that prices include as revenue. A shop without a finished reading reads the orders of the last 60
-- days in the next night, and computes again what depends on them. For two states of an order with the same time the app keeps the lower
-- revenue, so the new reading replaces the stored sales. A reading that is under way begins again.
update sales_reading set read_until = null, started_at = null, cursor = null;
