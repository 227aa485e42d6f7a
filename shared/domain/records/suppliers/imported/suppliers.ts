import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../../db/db.ts'
import { Id } from '../../../../schemas/common.ts'
import { emptied, filledFields, hasOtherValues } from '../../../kit/filled-fields.ts'
import { fillableColumns, optional, texts } from '../columns.ts'

/** A supplier of a file. `at` is the position of its row. */
export type ImportedSupplier = {
  at: number
  name: string
  /** By column; what the file does not have is missing. */
  columns: Readonly<Record<string, string | number>>
}

const Written = Type.Object({ at: Type.Integer(), id: Id })

const textColumns: readonly string[] = Object.values(texts)
const allColumns = Object.keys(fillableColumns)
const listed = (columns: readonly string[]) =>
  sql.join(
    columns.map((column) => sql.identifier([column])),
    sql.fragment`, `,
  )

/** SQL for suppliers as rows, with empty texts. */
function suppliersOf(suppliers: readonly (ImportedSupplier & { id?: number; isHidden?: boolean })[]) {
  const records = suppliers.map(({ at, id, name, columns, isHidden = false }) => ({
    at,
    id,
    name,
    is_hidden: isHidden,
    ...Object.fromEntries(textColumns.map((column) => [column, ''])),
    ...columns,
  }))
  return sql.fragment`jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as n (
    at int, id bigint, name text, is_hidden boolean, ${sql.join(
      [
        ...textColumns.map((column) => sql.fragment`${sql.identifier([column])} text`),
        ...Object.values(optional).map(
          ([column, type]) => sql.fragment`${sql.identifier([column])} ${sql.identifier([type])}`,
        ),
      ],
      sql.fragment`, `,
    )}
  )`
}

/** Inserts suppliers; one with `isHidden` is archived at once. Returns the new ids by the positions of the rows. */
export async function insertImportedSuppliers(
  tx: Db,
  shopId: number,
  suppliers: readonly (ImportedSupplier & { isHidden?: boolean })[],
): Promise<Map<number, number>> {
  if (suppliers.length === 0) return new Map()
  const written = await tx.any(sql.type(row(Written))`
    with given as materialized (select * from ${suppliersOf(suppliers)}),
    numbered as materialized (
      select given.*, nextval(pg_get_serial_sequence('supplier', 'id')) as new_id from given order by at
    ),
    created as (
      insert into supplier (shop_id, id, name, archived_at, ${listed(allColumns)})
      overriding system value
      select ${shopId}, new_id, name, case when is_hidden then now() end, ${listed(allColumns)} from numbered
    )
    select at, new_id as id from numbered
  `)
  return new Map(written.map(({ at, id }) => [at, id]))
}

const Filled = Type.Object({ at: Type.Integer(), id: Id, version: Type.Integer(), fields: Type.Unknown() })
type Filled = Static<typeof Filled>

/**
 * Fills in empty fields of suppliers; what the merchant typed stays. Returns the supplier's version and these fields by the position
 * of the row that changed it.
 */
export async function fillImportedSuppliers(
  tx: Db,
  shopId: number,
  suppliers: readonly (ImportedSupplier & { id: number })[],
): Promise<Map<number, Filled>> {
  if (suppliers.length === 0) return new Map()
  const ids = sql.array([...new Set(suppliers.map(({ id }) => id))], 'int8')
  const isEmpty = (column: string) =>
    textColumns.includes(column)
      ? sql.fragment`(${sql.identifier(['s', column])} = '' and ${sql.identifier(['n', column])} <> '')`
      : sql.fragment`(${sql.identifier(['s', column])} is null and ${sql.identifier(['n', column])} is not null)`
  const written = await tx.any(sql.type(row(Filled))`
    with b as materialized (
      select * from supplier where shop_id = ${shopId} and id = any(${ids}) order by id for no key update
    )
    update supplier s
    set ${sql.join(
      allColumns.map(
        (column) =>
          sql.fragment`${sql.identifier([column])} = case when ${isEmpty(column)} then ${sql.identifier(['n', column])} else ${sql.identifier(['s', column])} end`,
      ),
      sql.fragment`, `,
    )}, version = s.version + 1, updated_at = now()
    from ${suppliersOf(suppliers)}
    join b on b.id = n.id
    where s.shop_id = ${shopId} and s.id = n.id and (${sql.join(allColumns.map(isEmpty), sql.fragment` or `)})
    returning n.at, s.id, s.version, ${filledFields(fillableColumns, 'b', 's')} as fields
  `)
  return new Map(written.map((each) => [each.at, each]))
}

/** What an import filled in on a supplier, by column (`fillImportedSuppliers`). */
export type SupplierToEmpty = { id: number; fields: unknown; keepsCurrency: boolean }

const Emptied = Type.Object({
  id: Id,
  name: Type.String(),
  version: Type.Integer(),
  /** Another field than the currency has another value, which stays. */
  hasOthers: Type.Boolean(),
  /** The imported currency stays, because of `keepsCurrency`. */
  hasCurrency: Type.Boolean(),
})

/** Empties the fields that an import filled in and that still have the imported value. The caller must have locked the suppliers. */
export async function emptyFilledSuppliers(
  tx: Db,
  shopId: number,
  suppliers: readonly SupplierToEmpty[],
): Promise<readonly Static<typeof Emptied>[]> {
  if (suppliers.length === 0) return []
  const { currency: _currency, ...others } = fillableColumns
  const records = suppliers.map(({ id, fields, keepsCurrency }) => ({
    id,
    fields,
    keeps_currency: keepsCurrency,
  }))
  return tx.any(sql.type(row(Emptied))`
    update supplier s
    set ${emptied(others, 's', 'f')},
      currency = case when n.keeps_currency then s.currency else nullif(s.currency, f.currency) end,
      version = s.version + 1, updated_at = ${new Date().toISOString()}
    from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as n (id bigint, fields jsonb, keeps_currency boolean)
    cross join lateral jsonb_populate_record(null::supplier, n.fields) f
    where s.shop_id = ${shopId} and s.id = n.id
    returning s.id, s.name, s.version, ${hasOtherValues(others, 's', 'f')} as has_others,
      coalesce(n.keeps_currency and s.currency = f.currency, false) as has_currency
  `)
}

/** Deletes suppliers with their contacts and names. The caller must have locked them and found nothing that uses them. */
export async function deleteImportedSuppliers(tx: Db, shopId: number, ids: readonly number[]): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    delete from supplier where shop_id = ${shopId} and id = any(${sql.array([...ids], 'int8')})
  `)
}
