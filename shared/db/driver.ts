import pg from 'pg'
import {
  BackendTerminatedError,
  CheckIntegrityConstraintViolationError,
  createDriverFactory,
  type DriverCommand,
  type DriverFactory,
  ForeignKeyIntegrityConstraintViolationError,
  InvalidInputError,
  NotNullIntegrityConstraintViolationError,
  UnexpectedStateError,
  UniqueIntegrityConstraintViolationError,
} from 'slonik'

/** Longer than the statement timeout of 8 s, whose error may be lost on a broken network. */
const maxMs = 9_000

/**
 * slonik's driver for `pg` with a time limit: a query without an answer after 9 s fails and its connection closes.
 * Not the driver that slonik provides: V8 allocates a function that is assigned to a property in the old generation, and
 * `pg` assigns one for each promise and each `query_timeout`. It keeps the result in memory until the next full
 * collection. This driver passes callbacks as arguments.
 */
export function createDriver(settings: pg.ClientConfig): DriverFactory {
  return createDriverFactory(async () => ({
    async createPoolClient({ clientEventEmitter }) {
      const client = new pg.Client({ types: { getTypeParser }, ...settings })
      client.on('error', (error) => {
        // slonik stops listening when it closes a connection, and an emitter without listeners would throw
        if (clientEventEmitter.listenerCount('error') > 0)
          clientEventEmitter.emit('error', toSlonikError(error))
      })
      return {
        connect: async () => void (await client.connect()),
        end: () => client.end(),
        async query(text, values = [], options = {}) {
          const { command, fields, rowCount, rows } = await send(client, { text, values, ...options })
          return {
            command: command as DriverCommand,
            fields: fields.map(({ name, dataTypeID }) => ({ name, dataTypeId: dataTypeID })),
            rowCount,
            rows,
          }
        },
        stream() {
          throw new UnexpectedStateError('This driver has no streams, because they have no time limit.')
        },
      }
    },
  }))
}

async function send(client: pg.Client, query: pg.QueryConfig): Promise<pg.QueryResult> {
  const answer = Promise.withResolvers<pg.QueryResult | pg.QueryResult[]>()
  const timer = setTimeout(() => {
    answer.reject(new Error('Query read timeout'))
    // Postgres must not run the queries behind this one later, because their callers have an error by then.
    void client.end()
  }, maxMs)
  try {
    void client.query(query, (error, result) =>
      error ? answer.reject(toSlonikError(error)) : answer.resolve(result),
    )
    const result = await answer.promise
    if (Array.isArray(result)) throw new InvalidInputError('A query must have one statement.')
    return result
  } finally {
    clearTimeout(timer)
  }
}

const errorTypes: Record<string, new (cause: Error) => Error> = {
  '23502': NotNullIntegrityConstraintViolationError,
  '23503': ForeignKeyIntegrityConstraintViolationError,
  '23505': UniqueIntegrityConstraintViolationError,
  '23514': CheckIntegrityConstraintViolationError,
  '57P01': BackendTerminatedError,
}

/** slonik sends nothing more over a connection after a BackendTerminatedError. */
function toSlonikError(error: Error): Error {
  if (/^connection terminated/i.test(error.message)) return new BackendTerminatedError(error)
  const SlonikError = error instanceof pg.DatabaseError && error.code && errorTypes[error.code]
  return SlonikError ? new SlonikError(error) : error
}

const { builtins } = pg.types

const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  [builtins.INT8]: Number,
  [builtins.NUMERIC]: Number,
  [builtins.DATE]: String,
  [builtins.TIMESTAMPTZ]: toInstant,
}

const getTypeParser = (type: number) => parsers[type] ?? pg.types.getTypeParser(type)

/** Converts `2026-11-01 10:00:00.1234+00`, the format of UTC sessions, without `Date`, which is slower. */
function toInstant(text: string): string {
  const isUtc = text.length <= 29 && text[10] === ' ' && text.endsWith('+00')
  if (!isUtc) return new Date(text).toISOString()
  const millis = text.slice(20, -3).padEnd(3, '0').slice(0, 3)
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${millis}Z`
}
