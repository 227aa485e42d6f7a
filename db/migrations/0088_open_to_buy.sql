-- The report of open-to-buy reads the receipts of its months and their movements, which have indexes of their own.
drop index cost_movement_received;
