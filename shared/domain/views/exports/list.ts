import type { FragmentSqlToken } from 'slonik'
import type { shopTables } from '../../records/shops/shop-tables.ts'
import type { Column } from './columns.ts'

type ShopTable = (typeof shopTables)[number]
type KeyType = 'int8' | 'int4' | 'text' | 'date'

/** One CSV file of the export. It has a row for each row of `table`, so joins add columns and never rows. */
export type ExportedList = {
  /** The file name without date and extension. */
  name: string
  /** What the file contains, for README.txt. */
  about: string
  table: ShopTable
  /** The columns after `shop_id` of the primary key, by which the pages follow each other; `id` without it. */
  key?: Readonly<Record<string, KeyType>>
  /** By alias: a table of the shop, and the expression of its id. */
  joins?: Readonly<Record<string, readonly [ShopTable, FragmentSqlToken]>>
  /** A further join: of a table with a composite key, or of sums of other rows. */
  also?: (shopId: number) => FragmentSqlToken
  columns: Readonly<Record<string, Column>>
}
