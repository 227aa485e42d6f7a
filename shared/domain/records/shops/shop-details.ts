import { type Db, sql } from '../../../db/db.ts'

type ShopDetails = { name: string; email: string; currency: string; timeZone: string }

/** A field that differs from what the platform reported last (column `told`) was changed by the merchant, and stays. */
export async function storeShopDetails(tx: Db, shopId: number, details: ShopDetails): Promise<void> {
  const { name, email, currency, timeZone } = details
  await tx.query(sql.typeAlias('void')`
    insert into shop_setting (shop_id) values (${shopId}) on conflict do nothing
  `)
  await tx.query(sql.typeAlias('void')`
    update shop_setting s
    set company_name = case when company_name = coalesce(told->>'company_name', '') then ${name} else company_name end,
      email = case when email = coalesce(told->>'email', '') then ${email} else email end,
      currency = case when currency = coalesce(told->>'currency', 'USD') then ${currency} else currency end,
      time_zone = case when time_zone = coalesce(told->>'time_zone', 'UTC') then ${timeZone} else time_zone end,
      told = jsonb_build_object(
        'company_name', ${name}::text, 'email', ${email}::text, 'currency', ${currency}::text,
        'time_zone', ${timeZone}::text
      ),
      updated_at = now()
    where shop_id = ${shopId}
  `)
}
