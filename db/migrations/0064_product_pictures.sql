-- The address of a product's picture on the platform; empty: it has none, null: not read yet.

alter table product add column picture text;
