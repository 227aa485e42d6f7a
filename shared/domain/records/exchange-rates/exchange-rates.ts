import type { FragmentSqlToken } from 'slonik'
import { type Db, row, sql } from '../../../db/db.ts'
import { ExchangeRate } from '../../../schemas/exchange-rates.ts'
import { todayOf } from '../../kit/date-range.ts'

/** The last rate of each currency that an order or a charge of the shop was in. */
export function listExchangeRates(db: Db, shopId: number): Promise<readonly ExchangeRate[]> {
  return db.any(sql.type(row(ExchangeRate))`
    select distinct on (currency) currency, rate, day::text as day, source
    from exchange_rate
    where shop_id = ${shopId}
    order by currency, day desc
  `)
}

/** Stores a typed rate for today, in place of an earlier one of the day; it is the default of later orders and charges. */
export async function keepTypedRate(
  tx: Db,
  shopId: number,
  { currency, rate }: { currency: string; rate: number },
): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    insert into exchange_rate (shop_id, currency, day, rate, source)
    values (${shopId}, ${currency}, ${todayOf(shopId)}, ${rate}, 'typed')
    on conflict (shop_id, currency, day) do update set rate = excluded.rate, source = excluded.source
  `)
}

/** SQL for the last rate of a currency; null without one. */
export const lastRateOf = (shopId: number, currency: string | FragmentSqlToken) => sql.fragment`(
  select rate from exchange_rate where shop_id = ${shopId} and currency = ${currency} order by day desc limit 1
)`
