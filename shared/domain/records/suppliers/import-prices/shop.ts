import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../../db/db.ts'
import { Id } from '../../../../schemas/common.ts'
import { todayOf } from '../../../kit/date-range.ts'
import { currencyOf } from '../../shops/currency.ts'

const Shop = Type.Object({ day: Type.String(), currency: Type.String() })
const SupplierCurrency = Type.Object({ id: Id, currency: Type.String() })

/** Today in the shop's time zone, its currency, and the suppliers with another currency. */
export async function readShopOf(tx: Db, shopId: number) {
  const shop = await tx.one(sql.type(row(Shop))`
    select ${todayOf(shopId)}::text as day, ${currencyOf(shopId)} as currency
  `)
  const own = await tx.any(sql.type(row(SupplierCurrency))`
    select id, currency from supplier where shop_id = ${shopId} and currency is not null
  `)
  return { ...shop, currencyOf: new Map(own.map(({ id, currency }) => [id, currency])) }
}
