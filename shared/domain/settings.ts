import { type Db, row, sql } from '../db.ts'
import { Settings } from '../schemas/settings.ts'

/** What holds for a shop that nobody has told anything about yet: the defaults of the table. */
const defaults: Settings = {
  companyName: '',
  address: '',
  phone: '',
  email: '',
  currency: 'USD',
  timeZone: 'UTC',
  locale: 'en-US',
}

/** The shop's settings: what the platform says, until a merchant changes it (`shared/domain/shop-facts.ts`). */
export async function getSettings(db: Db, shopId: number): Promise<Settings> {
  const settings = await db.maybeOne(sql.type(row(Settings))`
    select company_name, address, phone, email, currency, time_zone, locale
    from shop_setting
    where shop_id = ${shopId}
  `)
  return settings ?? defaults
}
