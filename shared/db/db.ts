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
import { limitWaiting } from './pg-client.ts'

/** What a domain function works with: the pool and a transaction are the same to it. */
export type Db = CommonQueryMethods
export type { DatabasePool } from 'slonik'

/** A schema that was compiled once; queries name theirs each time they run. */
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

/** snake_case columns become camelCase fields, then the row must match the query's schema. */
const rowShape: Interceptor = {
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

/** `2026-11-01 10:00:00.1234+00`, as Postgres writes it where its zone is UTC, needs no calendar to become ISO. */
function toInstant(text: string): string {
  const isPlain = text.length <= 29 && text[10] === ' ' && text.endsWith('+00')
  if (!isPlain) return new Date(text).toISOString()
  const millis = text.slice(20, -3).padEnd(3, '0').slice(0, 3)
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${millis}Z`
}

/** For whoever can wait: jobs, tools. `web` cannot. */
const patient: WaitLimits = { waitMs: 30_000, maxWaiting: 1_000 }

/**
 * Opens the pool of one process. A statement may take 8 s, a connection 2 s to be made and `limits` to be free, so
 * that a caller hears "unavailable" rather than nothing. No session state is used, so nothing is reset between checkouts.
 */
export async function openDb(config: Config, maxPoolSize: number, limits = patient): Promise<DatabasePool> {
  const { url, ssl } = databaseAddress(config)
  limitWaiting()
  const pool = await createPool(url, {
    captureStackTrace: false,
    connectionRetryLimit: 0,
    connectionTimeout: 2_000,
    idleInTransactionSessionTimeout: 10_000,
    idleTimeout: 30_000,
    interceptors: [rowShape],
    maxPoolSize,
    resetConnection: async () => {},
    ...(ssl && { ssl }),
    statementTimeout: 8_000,
    tracing: config.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined,
    typeParsers,
  })
  return guardConnections(pool, limits)
}

/** Whether an error means that Postgres cannot serve right now, rather than that a statement is wrong. */
export function isUnavailable(error: unknown): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (
      /^(Connection|BackendTerminated|IdleTransactionTimeout|StatementTimeout|StatementCancelled)/.test(
        cause.constructor.name,
      )
    )
      return true
    if ('code' in cause && unavailableCodes.test(String(cause.code))) return true
    if (noConnection.test(cause.message)) return true
  }
  return false
}

/** Classes 08, 53 and 57 and 25006 (read-only) of Postgres; what the network says when nobody answers. */
const unavailableCodes =
  /^(08|53|57)...$|^25006$|^(ECONN|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST|ENETUNREACH|EPIPE)/

/** What the driver and the pool say without a code. */
const noConnection =
  /timeout exceeded when trying to connect|^timeout expired|^query read timeout|^client is (pending destroy|destroyed)|^connection terminated|^Connection pool (has ended|is being terminated)/i

/** The columns of our statements are few, and each comes with every row. */
const knownFields = new Map<string, string>()

function fieldOf(column: string): string {
  const known = knownFields.get(column)
  if (known !== undefined) return known
  const field = column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  knownFields.set(column, field)
  return field
}
