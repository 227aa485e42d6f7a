import pg from 'pg'

type Answer = (error: Error | null, result?: unknown) => void
type Query = (this: pg.Client, statement: unknown, values?: unknown, answer?: Answer) => unknown

/** Postgres ends a statement of ours after 8 s; when a network swallows even that, nobody waits longer than this. */
const longestMs = 9_000

/*
 * Changes how every client of this process waits, but those with a `query_timeout` of their own. V8 takes a function
 * that is assigned to a property for a method and makes it old at once; with it, all that it can reach lives until the
 * next full collection. `pg` assigns its callbacks like that, for promises and for `query_timeout`: every result would
 * be copied twice and stay. A callback that comes as an argument is as young as its result.
 */
const { query } = pg.Client.prototype as unknown as { query: Query }

const queryInTime: Query = function (statement, values, answer) {
  if (isQueryOfItsOwn(statement) || hasOwnLimit(this)) return query.call(this, statement, values, answer)
  const given = [values, answer].find(isAnswer)
  if (given) return send(this, statement, values, given)
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  send(this, statement, values, (error, result) => (error ? reject(error) : resolve(result)))
  return rememberCaller(promise)
}

pg.Client.prototype.query = queryInTime as typeof pg.Client.prototype.query

/** Who hears that it took too long has to give up the connection: the statement may still be under way. */
function send(client: pg.Client, statement: unknown, values: unknown, answer: Answer): void {
  let isAnswered = false
  const end: Answer = (error, result) => {
    if (isAnswered) return
    isAnswered = true
    clearTimeout(timer)
    answer(error, result)
  }
  const timer = setTimeout(() => end(new Error('Query read timeout')), longestMs)
  query.call(client, statement, isAnswer(values) ? undefined : values, end)
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

/** A stream or a cursor. */
const isQueryOfItsOwn = (statement: unknown) =>
  typeof statement === 'object' && statement !== null && 'submit' in statement

const hasOwnLimit = (client: pg.Client) =>
  Boolean((client as unknown as { connectionParameters: pg.ClientConfig }).connectionParameters.query_timeout)
