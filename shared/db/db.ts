import type { Static, TSchema } from '@sinclair/typebox'
import { Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import {
  type CommonQueryMethods,
  createPool,
  createSqlTag,
  type DatabasePool,
  type Interceptor,
  type QueryResultRow,
  SchemaValidationError,
} from 'slonik'
import { type Config, databaseAddress } from '../config.ts'
import { Id } from '../schemas/common.ts'
import { guardConnections, type WaitLimits } from './connections.ts'
import { limitQueryTime } from './pg-client.ts'

export type Db = CommonQueryMethods
export type { DatabasePool } from 'slonik'

/** A cache, because a query passes its schema on every call. */
const rowTypes = new WeakMap<TSchema, StandardSchemaV1<unknown, unknown>>()

/** Makes a TypeBox schema the row type of a query: sql.type(row(Supplier))`select ...`. */
export function row<T extends TSchema>(schema: T): StandardSchemaV1<unknown, Static<T>> {
  const known = rowTypes.get(schema) ?? compile(schema)
  rowTypes.set(schema, known)
  return known as StandardSchemaV1<unknown, Static<T>>
}

function compile(schema: TSchema): StandardSchemaV1<unknown, unknown> {
  const check = TypeCompiler.Compile(schema)
  const validate = (value: unknown) =>
    check.Check(value)
      ? { value }
      : { issues: [...check.Errors(value)].map((error) => ({ message: `${error.path} ${error.message}` })) }
  return { '~standard': { version: 1, vendor: 'typebox', validate } }
}

export const sql = createSqlTag({
  typeAliases: {
    id: row(Type.Object({ id: Id })),
    maybeId: row(Type.Object({ id: Type.Union([Id, Type.Null()]) })),
    void: row(Type.Object({})),
  },
})

/** Renames snake_case columns to camelCase fields, then checks the row against the query's schema. */
const camelCaseRows: Interceptor = {
  name: 'row-shape',
  transformRow: ({ resultParser }, query, columns) => {
    const fields: Record<string, unknown> = {}
    for (const name in columns) fields[fieldOf(name)] = columns[name]
    const result = resultParser?.['~standard'].validate(fields) as
      | StandardSchemaV1.Result<unknown>
      | undefined
    if (result?.issues) throw new SchemaValidationError(query, fields as QueryResultRow, result.issues)
    return fields as QueryResultRow
  },
}

const typeParsers = [
  { name: 'int8', parse: Number },
  { name: 'numeric', parse: Number },
  { name: 'timestamptz', parse: toInstant },
]

/** Converts `2026-11-01 10:00:00.1234+00`, the format of UTC sessions, without `Date`, which is slower. */
function toInstant(text: string): string {
  const isUtc = text.length <= 29 && text[10] === ' ' && text.endsWith('+00')
  if (!isUtc) return new Date(text).toISOString()
  const millis = text.slice(20, -3).padEnd(3, '0').slice(0, 3)
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${millis}Z`
}

/** Limits for the worker and command-line tools, which can wait longer than `web`. */
const longWaitLimits: WaitLimits = { waitMs: 30_000, maxWaiting: 1_000 }

/** Limits: 8 s per statement, 2 s to connect, `limits` for a free connection. Queries must not rely on session state: PgBouncer may switch sessions. */
export async function openDb(
  config: Config,
  maxPoolSize: number,
  limits = longWaitLimits,
): Promise<DatabasePool> {
  const { url, ssl } = databaseAddress(config)
  limitQueryTime()
  const pool = await createPool(url, {
    captureStackTrace: false,
    connectionRetryLimit: 0,
    connectionTimeout: 2_000,
    idleInTransactionSessionTimeout: 10_000,
    idleTimeout: 30_000,
    interceptors: [camelCaseRows],
    maxPoolSize,
    resetConnection: async () => {},
    ...(ssl && { ssl }),
    statementTimeout: 8_000,
    tracing: config.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined,
    typeParsers,
  })
  return guardConnections(pool, limits)
}

/** True when the error means that Postgres is unavailable; false for an error in the statement. */
export function isUnavailable(error: unknown): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (
      /^(Connection|BackendTerminated|IdleTransactionTimeout|StatementTimeout|StatementCancelled)/.test(
        cause.constructor.name,
      )
    )
      return true
    if ('code' in cause && unavailableCodes.test(String(cause.code))) return true
    if (connectionErrorMessage.test(cause.message)) return true
  }
  return false
}

/** Postgres error classes 08, 53 and 57, error 25006 (read-only), and the network error codes of Node. */
const unavailableCodes =
  /^(08|53|57)...$|^25006$|^(ECONN|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST|ENETUNREACH|EPIPE)/

const connectionErrorMessage =
  /timeout exceeded when trying to connect|^timeout expired|^query read timeout|^client is (pending destroy|destroyed)|^connection terminated|^Connection pool (has ended|is being terminated)/i

const fieldNames = new Map<string, string>()

function fieldOf(column: string): string {
  const known = fieldNames.get(column)
  if (known !== undefined) return known
  const field = column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  fieldNames.set(column, field)
  return field
}
