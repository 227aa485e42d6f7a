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
import { createDriver } from './driver.ts'

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

/** SQL: an array of what `read` returns for each row. */
export const arrayOf = <T>(
  type: string,
  rows: readonly T[],
  read: (row: T) => string | number | boolean | null,
) => sql.array(rows.map(read), type)

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

/** Limits for the worker and command-line tools, which can wait longer than `web`. */
const longWaitLimits: WaitLimits = { waitMs: 30_000, maxWaiting: 1_000 }

/**
 * Limits: 8 s per statement, `connectMs` to connect, `limits` for a free connection. Queries must not rely on session
 * state: PgBouncer may switch sessions.
 */
export async function openDb(
  config: Config,
  maxPoolSize: number,
  limits = longWaitLimits,
  connectMs = 2_000,
): Promise<DatabasePool> {
  const { url, ssl } = databaseAddress(config)
  const driverFactory = createDriver({
    connectionString: url,
    ssl,
    connectionTimeoutMillis: connectMs,
    idle_in_transaction_session_timeout: 10_000,
    statement_timeout: 8_000,
  })
  const pool = await createPool(url, {
    captureStackTrace: false,
    connectionRetryLimit: 0,
    driverFactory,
    idleTimeout: 30_000,
    interceptors: [camelCaseRows],
    maxPoolSize,
    resetConnection: async () => {},
    tracing: config.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined,
  })
  return guardConnections(pool, limits)
}

/** True when the error means that Postgres is unavailable; false for an error in the statement. */
export function isUnavailable(error: unknown): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (/^(Connection|BackendTerminated)/.test(cause.constructor.name)) return true
    if ('code' in cause && unavailableCodes.test(String(cause.code))) return true
    if (connectionErrorMessage.test(cause.message)) return true
  }
  return false
}

/** Postgres error classes 08, 53 and 57, errors 25006 (read-only) and 25P03 (idle in transaction), and the network error codes of Node. */
const unavailableCodes =
  /^(08|53|57)...$|^25006$|^25P03$|^(ECONN|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST|ENETUNREACH|EPIPE)/

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
