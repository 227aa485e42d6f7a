-- Some scanners add leading zeros to a barcode, or leave them out. Codes are compared in one form, which the admin has, too
-- (`web/src/components/scan/codes.ts`): 8 to 14 digits without leading zeros, other codes in lower case.
create function scan_code(code text) returns text
 language sql
 immutable parallel safe
as $function$
  select case
    when code ~ '^[0-9]{8,14}$' then coalesce(nullif(ltrim(code, '0'), ''), '0')
    else lower(code)
  end
$function$;

-- A barcode found a product by reading all variants of the shop. The platform limits no barcode, and an index row has 2 704 bytes.
create index variant_barcode on variant (shop_id, "left"(scan_code(barcode), 100)) where barcode <> '';
create index supplier_product_pack on supplier_product (shop_id, scan_code(pack_barcode)) where pack_barcode <> '';
