-- Indexes for a supplier with many products and orders.

create index supplier_product_search on supplier_product
  using gin (shop_id, lower(supplier_sku || ' ' || pack_barcode) gin_trgm_ops);

-- With the id, the newest line of a variant is the first that Postgres reads. It also does what the index without it did.
create index purchase_order_line_of_variant on purchase_order_line (shop_id, variant_id, id);
drop index purchase_order_line_shop_id_variant_id_idx;
