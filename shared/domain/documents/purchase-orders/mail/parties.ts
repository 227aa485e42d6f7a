import { sql } from '../../../../db/db.ts'

/** SQL, from the aliases of a shop and its settings: the shop as documents name it. */
export function shopParty(shopId: number, { shop, setting }: { shop: string; setting: string }) {
  const t = sql.identifier([setting])
  return sql.fragment`
    jsonb_strip_nulls(jsonb_build_object(
      'name', coalesce(nullif(${t}.company_name, ''), ${sql.identifier([shop, 'domain'])}),
      'address', coalesce(${t}.address, ''), 'email', coalesce(${t}.email, ''), 'phone', coalesce(${t}.phone, ''),
      'taxId', nullif(${t}.tax_id, ''),
      'logoId', (select id from shop_logo where shop_id = ${shopId} and is_current)
    ))
  `
}

/** SQL, from the alias of a supplier: the supplier as documents name it, with its first contact. */
export function supplierParty(shopId: number, supplier: string) {
  const s = sql.identifier([supplier])
  return sql.fragment`
    jsonb_build_object(
      'name', ${s}.name, 'address', ${s}.address, 'email', ${s}.email, 'phone', ${s}.phone,
      'paymentTerms', ${s}.payment_terms, 'accountNumber', ${s}.account_number, 'taxId', ${s}.tax_id,
      'contactName', coalesce((
        select c.name
        from supplier_contact c
        where c.shop_id = ${shopId} and c.supplier_id = ${s}.id
        order by c.id
        limit 1
      ), '')
    )
  `
}

/** SQL, from the alias of a supplier: the parts of its address. */
export function supplierAddress(supplier: string) {
  const s = sql.identifier([supplier])
  return sql.fragment`
    jsonb_build_object(
      'address1', ${s}.address_line1, 'address2', ${s}.address_line2, 'city', ${s}.city, 'province', ${s}.region,
      'zip', ${s}.postal_code, 'country', '', 'countryCode', coalesce(${s}.country_code, ''), 'phone', ''
    )
  `
}
