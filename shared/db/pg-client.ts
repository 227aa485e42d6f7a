import pg from 'pg'

type Callback = (error: Error | null, result?: unknown) => void
type Query = (this: pg.Client, statement: unknown, values?: unknown, callback?: Callback) => unknown

/** Longer than the statement timeout of 8 s, whose error may be lost on a broken network. */
const maxMs = 9_000

const { query } = pg.Client.prototype as unknown as { query: Query }

/**
 * A query without an answer after 9 s fails and its connection closes. Exempt: streams, cursors, own `query_timeout`s.
 * Not the driver's `query_timeout`: its callback keeps every result in memory until the next full collection of V8.
 */
export function limitQueryTime(): void {
  pg.Client.prototype.query = queryWithTimeout as typeof pg.Client.prototype.query
}

const queryWithTimeout: Query = function (statement, values, callback) {
  if (isExempt(statement) || hasOwnLimit(this)) return query.call(this, statement, values, callback)
  const given = [values, callback].find(isCallback)
  if (given) return send(this, statement, values, given)
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  send(this, statement, values, (error, result) => (error ? reject(error) : resolve(result)))
  return withCallerStack(promise)
}

function send(client: pg.Client, statement: unknown, values: unknown, callback: Callback): void {
  let isDone = false
  const finish: Callback = (error, result) => {
    if (isDone) return
    isDone = true
    clearTimeout(timer)
    callback(error, result)
  }
  const timer = setTimeout(() => {
    finish(new Error('Query read timeout'))
    // Postgres must not run the queries behind this one later, because their callers have an error by then.
    void client.end()
  }, maxMs)
  try {
    query.call(client, statement, isCallback(values) ? undefined : values, finish)
  } catch (error) {
    clearTimeout(timer)
    throw error
  }
}

/** The stack of an error from the socket does not contain the caller, so it is captured again here. */
async function withCallerStack(result: Promise<unknown>): Promise<unknown> {
  try {
    return await result
  } catch (error) {
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  }
}

const isCallback = (value: unknown): value is Callback => typeof value === 'function'

const isExempt = (statement: unknown) =>
  typeof statement === 'object' &&
  statement !== null &&
  ('submit' in statement || 'callback' in statement || 'query_timeout' in statement)

const hasOwnLimit = (client: pg.Client) =>
  Boolean((client as unknown as { connectionParameters: pg.ClientConfig }).connectionParameters.query_timeout)
