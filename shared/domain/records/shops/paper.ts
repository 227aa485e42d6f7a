import { sql } from '../../../db/db.ts'

/**
 * The countries whose paper is US Letter, by CLDR (`measurementData`, `paperSize`). The standard of all others is A4.
 */
const letterCountries = [
  ...['BZ', 'CA', 'CL', 'CO', 'CR', 'GT', 'MX', 'NI', 'PA', 'PH', 'PR', 'SV', 'US', 'VE'],
] as const

/**
 * SQL for the paper of the shop's documents: the merchant's choice, else that of the country of the primary location; A4
 * while that is unknown.
 */
export const paperOf = (shopId: number) => sql.fragment`
  coalesce(
    (select paper from shop_setting where shop_id = ${shopId}),
    (
      select 'letter'
      from location
      where shop_id = ${shopId} and is_primary and country_code = any(${sql.array(letterCountries, 'text')})
    ),
    'a4'
  )
`
