import { sql } from '../../db/db.ts'

/** The columns of a table that an import fills in where they are empty, each with its empty value. */
export type FillableColumns = Readonly<Record<string, '' | 0 | null>>

const of = (alias: string, column: string) => sql.identifier([alias, column])
const empties = { '': sql.fragment`''`, 0: sql.fragment`0` }

/** SQL: an object with the new value of each column in which the record `after` differs from `before`, for `import_target.before`. */
export const filledFields = (columns: FillableColumns, before: string, after: string) =>
  sql.fragment`jsonb_strip_nulls(jsonb_build_object(${sql.join(
    Object.keys(columns).map(
      (column) =>
        sql.fragment`${column}::text, case when ${of(before, column)} is distinct from ${of(after, column)} then ${of(after, column)} end`,
    ),
    sql.fragment`, `,
  )}))`

/**
 * SQL assignments that empty each column of `alias` that still has the imported value. `filled` is the alias of a record with the
 * imported values, and with null in the columns that the import did not fill in.
 */
export const emptied = (columns: FillableColumns, alias: string, filled: string) =>
  sql.join(
    Object.entries(columns).map(([column, empty]) => {
      const rest = sql.fragment`nullif(${of(alias, column)}, ${of(filled, column)})`
      const value = empty === null ? rest : sql.fragment`coalesce(${rest}, ${empties[empty]})`
      return sql.fragment`${sql.identifier([column])} = ${value}`
    }),
    sql.fragment`, `,
  )

/** SQL condition for the record after `emptied`: a column that the import filled in has another value. */
export const hasOtherValues = (columns: FillableColumns, alias: string, filled: string) =>
  sql.fragment`(${sql.join(
    Object.entries(columns).map(([column, empty]) => {
      const isSet =
        empty === null
          ? sql.fragment`${of(alias, column)} is not null`
          : sql.fragment`${of(alias, column)} <> ${empties[empty]}`
      return sql.fragment`(${of(filled, column)} is not null and ${isSet})`
    }),
    sql.fragment` or `,
  )})`
