import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import pg from 'pg'
import t, { type Test } from 'tap'
import { limitQueryTime } from '../../../shared/db/pg-client.ts'
import { createDatabase } from '../../support/core/database.ts'

limitQueryTime()

const hundredRows = `
  select n, 'gid://shopify/ProductVariant/' || n as variant_id, 'A product with a long name, number ' || n as title
  from generate_series(1, 100) n`

async function connect(t: Test, options: pg.ClientConfig = {}): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: await createDatabase('nothing'), ...options })
  await client.connect()
  t.teardown(() => client.end())
  return client
}

t.test('a client without its own time limit', async (t) => {
  const client = await connect(t)
  const query = client.query.bind(client) as (...args: unknown[]) => void
  const byCallback = (...args: unknown[]) =>
    new Promise((resolve, reject) =>
      query(...args, (error: unknown, result: pg.QueryResult) =>
        error ? reject(error) : resolve(result.rows),
      ),
    )

  t.test('returns results by promise and by callback, with and without values', async (t) => {
    t.match(await client.query('select 1 as one'), { rows: [{ one: 1 }] })
    t.match(await client.query('select $1::int as two', [2]), { rows: [{ two: 2 }] })
    t.match(await client.query({ text: 'select $1::int as three', values: [3] }), { rows: [{ three: 3 }] })
    t.strictSame(await byCallback('select 1 as one'), [{ one: 1 }])
    t.strictSame(await byCallback('select $1::int as two', [2]), [{ two: 2 }])
    t.strictSame(await byCallback({ text: 'select $1::int as three', values: [3] }), [{ three: 3 }])
    await t.rejects(byCallback('select 1 / 0'), { code: '22012' })
  })

  t.test('reports the caller of a failed statement in the stack', async (t) => {
    async function divide() {
      await client.query('select 1 / 0')
    }
    const error: Error = await divide().then(
      () => t.fail('the statement succeeded'),
      (error) => error,
    )
    t.match(error, { code: '22012', stack: /divide/ })
  })
})

t.test('a query without an answer after 9 s fails, and the client closes its connection', async (t) => {
  const url = await createDatabase('nothing')
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  t.teardown(() => pool.end())
  await pool.query('create table done (what text)')
  const client = await pool.connect()
  client.on('error', () => {})
  const answers: unknown[] = []
  const query = client.query.bind(client) as (...args: unknown[]) => void
  const before = performance.now()
  const first = new Promise<void>((resolve) => {
    query('select pg_sleep(10)', (...answer: unknown[]) => {
      answers.push(answer)
      resolve()
    })
  })
  const second = client.query("insert into done values ('the queued statement')")
  await Promise.all([first, t.rejects(second)])
  t.ok(performance.now() - before > 8_900)
  t.match(answers, [[{ message: 'Query read timeout' }]])
  // The pool replaces the connection although the caller releases it without an error.
  client.release()
  const { rows } = await pool.query('select pg_sleep(2), (select count(*)::int from done) as count')
  t.match(rows, [{ count: 0 }], 'the queued statement did not run later')
  t.equal(answers.length, 1)
})

t.test('an invalid statement fails and leaves the client usable', async (t) => {
  const client = await connect(t)
  t.throws(() => client.query(null as unknown as string), /null or undefined query/)
  t.match(await client.query('select 1 as one'), { rows: [{ one: 1 }] })
})

setFlagsFromString('--expose-gc')
const collect: (options: { type: 'minor' }) => void = runInNewContext('gc')

/** The bytes per statement that minor collections promote to the old space although no code references the result. */
async function promotedBytes(client: pg.Client): Promise<number> {
  const statements = 10
  const growth: number[] = []
  for (let round = 0; round < 9; round += 1) {
    collect({ type: 'minor' })
    const before = oldBytes()
    for (let count = 0; count < statements; count += 1) await client.query(hundredRows)
    collect({ type: 'minor' })
    collect({ type: 'minor' })
    growth.push((oldBytes() - before) / statements)
  }
  return growth.sort((a, b) => a - b)[4] ?? 0
}

const oldBytes = () =>
  getHeapSpaceStatistics().reduce((sum, { space_name, space_used_size }) => {
    return space_name === 'old_space' ? sum + space_used_size : sum
  }, 0)

t.test('the client releases a result after its use', async (t) => {
  const ours = await promotedBytes(await connect(t))
  // With its own time limit, a client uses the timers of the driver.
  const driver = await promotedBytes(await connect(t, { query_timeout: 60_000 }))
  t.comment({ ours, driver })
  t.ok(driver > 10_000, 'the driver alone promotes results; otherwise our replacement is unnecessary')
  t.ok(ours < driver / 4, 'our client does not')
})
