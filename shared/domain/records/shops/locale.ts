import { sql } from '../../../db/db.ts'

/**
 * SQL for the locale of the shop's documents and messages: the merchant's choice, else English as it is written in the
 * country of the primary location, such as en-GB; en-US while that is unknown.
 */
export const localeOf = (shopId: number) => sql.fragment`
  coalesce(
    (select locale from shop_setting where shop_id = ${shopId}),
    (select 'en-' || country_code from location where shop_id = ${shopId} and is_primary and country_code ~ '^[A-Z]{2}$'),
    'en-US'
  )
`
