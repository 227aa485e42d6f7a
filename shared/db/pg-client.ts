import pg from 'pg'

type Answer = (error: Error | null, result?: unknown) => void
type Query = (this: pg.Client, statement: unknown, values?: unknown, answer?: Answer) => unknown

/** Postgres ends a statement of ours after 8 s; when a network swallows even that, nobody waits longer than this. */
const maxMs = 9_000

const { query } = pg.Client.prototype as unknown as { query: Query }

/**
 * Changes how every client of this process waits, but for those and for statements with a `query_timeout` of their own:
 * what is not answered in time fails, and its connection with all that waits for it is given up. The driver's own
 * limit would do that, too. But V8 takes a function that is assigned to a property for a method and makes it old at
 * once, and with it, all that it can reach lives until the next full collection. `pg` assigns its callbacks like
 * that, for promises and for `query_timeout`: every result would be copied twice and stay. A callback that comes as
 * an argument is as young as its result. Streams wait as long as they like. Safe to call twice.
 */
export function limitWaiting(): void {
  pg.Client.prototype.query = queryInTime as typeof pg.Client.prototype.query
}

const queryInTime: Query = function (statement, values, answer) {
  if (waitsInItsOwnWay(statement) || hasOwnLimit(this)) return query.call(this, statement, values, answer)
  const given = [values, answer].find(isAnswer)
  if (given) return send(this, statement, values, given)
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  send(this, statement, values, (error, result) => (error ? reject(error) : resolve(result)))
  return rememberCaller(promise)
}

function send(client: pg.Client, statement: unknown, values: unknown, answer: Answer): void {
  let isAnswered = false
  const end: Answer = (error, result) => {
    if (isAnswered) return
    isAnswered = true
    clearTimeout(timer)
    answer(error, result)
  }
  const timer = setTimeout(() => {
    end(new Error('Query read timeout'))
    // what was sent after it must not be done later, when nobody expects it any more
    void client.end()
  }, maxMs)
  try {
    query.call(client, statement, isAnswer(values) ? undefined : values, end)
  } catch (error) {
    clearTimeout(timer)
    throw error
  }
}

/** What comes from a socket knows nothing of those who asked. */
async function rememberCaller(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  }
}

const isAnswer = (value: unknown): value is Answer => typeof value === 'function'

/** A stream, a cursor, or a statement that says so. */
const waitsInItsOwnWay = (statement: unknown) =>
  typeof statement === 'object' &&
  statement !== null &&
  ('submit' in statement || 'callback' in statement || 'query_timeout' in statement)

const hasOwnLimit = (client: pg.Client) =>
  Boolean((client as unknown as { connectionParameters: pg.ClientConfig }).connectionParameters.query_timeout)
