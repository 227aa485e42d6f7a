import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { type Db, openDb, row, sql } from '../../../shared/db/db.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { runStockVerify } from '../../../worker/cli/stock-verify.ts'
import { captureLog } from '../../support/core/app.ts'
import { createDatabase, testConfig, testEnvironment } from '../../support/core/database.ts'
import { makeShop } from '../../support/core/people.ts'
import { runCommand } from '../../support/core/processes.ts'
import { enqueued, startTasks } from '../../support/core/worker.ts'
import { expectLedger, levelsOf, makeStock, movementsOf } from '../../support/make/stock.ts'

/** A database with two shops of variants at two locations, with consistent ledgers. */
async function start(t: Test, { variants = 600 }: { variants?: number } = {}) {
  const url = await createDatabase()
  const db = await openDb(testConfig(url), 2)
  t.teardown(() => db.end())
  const [alice, mallory] = [await makeShop(db, 'alice'), await makeShop(db, 'mallory')]
  for (const shop of [alice, mallory]) await makeStock(db, shop, { variants, locations: 2 })
  /** Runs the command in this process, which is five times as fast as another process. */
  const verify = async (...args: string[]) => {
    const [lines, errors]: [string[], string[]] = [[], []]
    const output = {
      print: (line: string) => lines.push(line),
      printError: (line: string) => errors.push(line),
    }
    const status = await runStockVerify(args, testEnvironment(url), output)
    return { status, lines, stderr: errors.join('\n') }
  }
  /** Runs the command as operators do. */
  const spawnVerify = (...args: string[]) => {
    const { status, stdout, stderr } = runCommand('worker/cli/stock-verify.ts', testEnvironment(url), args)
    return { status, lines: stdout.trim().split('\n'), stderr }
  }
  return { db, alice, mallory, verify, spawnVerify }
}

/** Changes a level without a movement, which breaks the ledger. */
async function breakLevel(db: Db, { shopId }: { shopId: number }, sku: string): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update stock_level l
    set quantity = l.quantity + 5, platform_quantity = l.platform_quantity + 5
    from variant v, location w
    where l.shop_id = ${shopId} and v.shop_id = l.shop_id and v.id = l.variant_id and v.sku = ${sku}
      and w.shop_id = l.shop_id and w.id = l.location_id and w.name = 'Place 2'
  `)
}

t.test('consistent stock is reported as such', async (t) => {
  const { alice, mallory, spawnVerify } = await start(t)
  const { status, lines } = spawnVerify()
  t.equal(status, 0)
  t.strictSame(lines, [
    `${alice.shopDomain}: 1200 levels, 0 differences, 0 repaired`,
    `${mallory.shopDomain}: 1200 levels, 0 differences, 0 repaired`,
  ])
})

t.test('differences are listed, and --repair adds movements of kind repair', async (t) => {
  const { db, alice, mallory, verify } = await start(t)
  await breakLevel(db, alice, 'SKU-3')
  await breakLevel(db, alice, 'SKU-600')
  await breakLevel(db, mallory, 'SKU-1')
  const { shopDomain } = alice

  const differences = await verify('--shop', shopDomain)
  t.equal(differences.status, 1)
  t.strictSame(differences.lines, [
    `${shopDomain}: SKU-3 at Place 2 is 15, its movements add up to 10`,
    `${shopDomain}: SKU-600 at Place 2 is 15, its movements add up to 10`,
    `${shopDomain}: 1200 levels, 2 differences, 0 repaired`,
  ])
  t.strictSame(await movementsOf(db, alice), [], 'verifying changes nothing')

  const repaired = await verify('--shop', shopDomain, '--repair', '--json')
  t.equal(repaired.status, 0)
  t.match(
    repaired.lines.map((line) => JSON.parse(line)),
    [
      { shop: shopDomain, sku: 'SKU-3', quantity: 15, ledger: 10 },
      { shop: shopDomain, sku: 'SKU-600', quantity: 15, ledger: 10 },
      { shop: shopDomain, levels: 1200, differences: 2, repaired: 2 },
    ],
  )
  t.match(await movementsOf(db, alice), [
    { levelKey: '3/2', kind: 'repair', delta: 5, reason: 'The movements did not add up to the level.' },
    { levelKey: '600/2', kind: 'repair', delta: 5 },
  ])
  t.match(await levelsOf(db, alice), { '3/2': [15, 15], '3/1': [10, 10] })
  await expectLedger(t, db, alice)
  t.strictSame(await movementsOf(db, mallory), [], 'only the named shop is repaired')
  t.equal((await verify('--shop', shopDomain)).status, 0)
})

t.test('invalid options print an error', async (t) => {
  const { verify, spawnVerify } = await start(t, { variants: 1 })
  t.match(await verify('--shop', 'nobody.myshop.example'), { status: 2, lines: [/not installed in nobody/] })
  t.match(spawnVerify('--mend'), { status: 2, stderr: /--mend[\s\S]*--repair/ })
  t.match(await verify('--help'), { status: 0, lines: [/sum of its movements/] })
})

t.test('the task logs differences and changes nothing', async (t) => {
  const { db, alice } = await start(t)
  const { log, lines } = await captureLog()
  const { perform } = await startTasks(t, db, { log })
  await perform(jobs.verifyStock, { shopId: alice.shopId })
  t.strictSame(
    lines().filter(({ msg }) => msg === 'stock level differs from its movements'),
    [],
  )
  await breakLevel(db, alice, 'SKU-600')
  await perform(jobs.verifyStock, { shopId: alice.shopId })
  t.match(
    lines().filter(({ msg }) => msg === 'stock level differs from its movements'),
    [{ shopId: alice.shopId, differences: [{ sku: 'SKU-600', quantity: 15, ledger: 10 }] }],
  )
  t.strictSame(await movementsOf(db, alice), [])
})

t.test('a task at the end of its time budget enqueues the rest', async (t) => {
  const { db, alice } = await start(t)
  const { perform } = await startTasks(t, db)
  let now = 0
  t.intercept(performance, 'now', { value: () => (now += 30_000) })
  await perform(jobs.verifyStock, { shopId: alice.shopId })
  const [rest, ...others] = await enqueued(db, jobs.verifyStock, alice.shopId)
  t.strictSame(others, [])
  t.ok(rest?.afterVariantId)
  if (rest) await perform(jobs.verifyStock, rest)
  t.equal((await enqueued(db, jobs.verifyStock, alice.shopId)).length, 1)
})

t.test('costs that do not follow from their movements are listed and repaired', async (t) => {
  const { db, alice, verify } = await start(t)
  const { perform } = await startTasks(t, db)
  await db.query(sql.typeAlias('void')`
    update variant set unit_cost = 2.5, cost_source = 'receipt' where shop_id = ${alice.shopId} and id % 2 = 0
  `)
  await perform(jobs.verifyCosts, { shopId: alice.shopId })
  await perform(jobs.verifyCosts, { shopId: alice.shopId })
  const args = ['--shop', alice.shopDomain]
  t.match((await verify(...args)).lines, [
    /1200 levels/,
    `${alice.shopDomain}: 300 costs, 0 differences, 0 repaired`,
  ])
  const broken = await db.oneFirst(sql.type(row(Type.Object({ sku: Type.String() })))`
    update variant_cost c
    set average_cost = 3, updated_at = now() - interval '1 day'
    from variant v
    where c.shop_id = ${alice.shopId} and v.shop_id = c.shop_id and v.id = c.variant_id
      and v.id = (select min(variant_id) from variant_cost where shop_id = ${alice.shopId})
    returning v.sku
  `)
  const found = await verify(...args)
  t.equal(found.status, 1)
  t.equal(found.lines[1], `${alice.shopDomain}: ${broken} costs 3 on average, its movements lead to 2.5`)
  t.equal((await verify(...args, '--repair')).status, 0)
  t.equal((await verify(...args)).status, 0)
  t.ok(
    await db.exists(sql.typeAlias('void')`
      select from variant_cost where shop_id = ${alice.shopId} and updated_at > now() - interval '1 hour' and variant_id = (
        select min(variant_id) from variant_cost where shop_id = ${alice.shopId}
      )
    `),
    'the margin report reads the ledger of what was repaired',
  )
})
