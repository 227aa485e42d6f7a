import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import type { ExportedList } from './list.ts'

const pageRows = 1_000
/** Counting more would take too long; only the progress depends on it. */
const maxCounted = 5_000_000

const Count = Type.Object({ count: Type.Integer() })
const ListRow = Type.Object({
  cells: Type.Array(Type.Union([Type.String(), Type.Number(), Type.Null()])),
  position: Type.Array(Type.String()),
})
export type ListRow = Static<typeof ListRow>

/** The shop's own words for times and money. */
export type ShopTerms = { timeZone: string; currency: string }

export function countRows(tx: Db, shopId: number, { table }: ExportedList): Promise<number> {
  return tx.oneFirst(sql.type(row(Count))`
    select count(*) as count
    from (select from ${sql.identifier([table])} where shop_id = ${shopId} limit ${maxCounted}) t
  `)
}

/**
 * The rows of a list in pages, in the order of the primary key. A page is read from the table by its index first and
 * joined then, so its time does not depend on the size of the shop.
 */
export async function* readList(
  tx: Db,
  shopId: number,
  list: ExportedList,
  terms: ShopTerms,
): AsyncGenerator<readonly ListRow[]> {
  let after: readonly string[] | undefined
  do {
    const page: readonly ListRow[] = await readPage(tx, shopId, list, terms, after)
    if (page.length > 0) yield page
    after = page.length === pageRows ? page.at(-1)?.position : undefined
  } while (after !== undefined)
}

function readPage(
  tx: Db,
  shopId: number,
  list: ExportedList,
  { timeZone, currency }: ShopTerms,
  after: readonly string[] | undefined,
): Promise<readonly ListRow[]> {
  const keyTypes = Object.entries(list.key ?? { id: 'int8' as const })
  const keys = keyTypes.map(([column]) => sql.identifier(['t', column]))
  const comma = sql.fragment`, `
  const keyList = sql.join(keys, comma)
  const isAfter =
    after &&
    sql.fragment`and (${keyList}) > (${sql.join(
      after.map(
        (value, index) => sql.fragment`${value}::text::${sql.identifier([keyTypes[index]?.[1] ?? 'text'])}`,
      ),
      comma,
    )})`
  const joins = Object.entries(list.joins ?? {}).map(
    ([alias, [table, id]]) => sql.fragment`
      left join ${sql.identifier([table])} ${sql.identifier([alias])}
        on ${sql.identifier([alias, 'shop_id'])} = ${shopId} and ${sql.identifier([alias, 'id'])} = ${id}
    `,
  )
  return tx.any(sql.type(row(ListRow))`
    select json_build_array(${sql.join(Object.values(list.columns), comma)}) as cells,
      json_build_array(${sql.join(
        keys.map((key) => sql.fragment`${key}::text`),
        comma,
      )}) as position
    from (
      select t.*
      from ${sql.identifier([list.table])} t
      where t.shop_id = ${shopId} ${isAfter ?? sql.fragment``}
      order by ${keyList}
      limit ${pageRows}
    ) t
    cross join (select ${timeZone}::text as time_zone, ${currency}::text as currency) shop
    ${sql.join([...joins, list.also?.(shopId) ?? sql.fragment``], sql.fragment` `)}
    order by ${keyList}
  `)
}
