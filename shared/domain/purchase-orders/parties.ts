import { sql } from '../../db/db.ts'

/** SQL: the shop as documents name it, from `shop` and `shop_setting t`. */
export const shopParty = (shopId: number) => sql.fragment`
  jsonb_strip_nulls(jsonb_build_object(
    'name', coalesce(nullif(t.company_name, ''), shop.domain), 'address', coalesce(t.address, ''),
    'email', coalesce(t.email, ''), 'phone', coalesce(t.phone, ''), 'taxId', nullif(t.tax_id, ''),
    'logoId', (select id from shop_logo where shop_id = ${shopId} and is_current)
  ))
`

/** SQL: supplier `s` as documents name it, with its first contact. */
export const supplierParty = (shopId: number) => sql.fragment`
  jsonb_build_object(
    'name', s.name, 'address', s.address, 'email', s.email, 'phone', s.phone, 'paymentTerms', s.payment_terms,
    'accountNumber', s.account_number, 'taxId', s.tax_id,
    'contactName', coalesce((
      select c.name
      from supplier_contact c
      where c.shop_id = ${shopId} and c.supplier_id = s.id
      order by c.id
      limit 1
    ), '')
  )
`

/** SQL: the parts of the address of supplier `s`. */
export const supplierAddress = sql.fragment`
  jsonb_build_object(
    'address1', s.address_line1, 'address2', s.address_line2, 'city', s.city, 'province', s.region,
    'zip', s.postal_code, 'country', '', 'countryCode', coalesce(s.country_code, ''), 'phone', ''
  )
`
