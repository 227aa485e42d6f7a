import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { timeZoneOf, todayOf } from '../../kit/date-range.ts'
import { currencyOf } from './currency.ts'

const CsvTerms = Type.Object({ timeZone: Type.String(), currency: Type.String(), today: Type.String() })
type CsvTerms = Static<typeof CsvTerms>

/** The shop's time zone, currency and current day, for its CSV files. */
export const getCsvTerms = (db: Db, shopId: number): Promise<CsvTerms> =>
  db.one(sql.type(row(CsvTerms))`
    select ${timeZoneOf(shopId)} as time_zone, ${currencyOf(shopId)} as currency, ${todayOf(shopId)}::text as today
  `)
