import t from 'tap'
import { type Db, sql } from '../../../../../shared/db/db.ts'
import { installShop } from '../../../../../shared/domain/exchange/install/install.ts'
import { uninstallShop } from '../../../../../shared/domain/exchange/install/remove.ts'
import { upsertProducts } from '../../../../../shared/domain/exchange/sync/upsert-products.ts'
import {
  findInstalledShop,
  inInstalledShop,
  lockInstalledShop,
} from '../../../../../shared/domain/records/shops/shops.ts'
import { createTokenCipher } from '../../../../../shared/token-cipher.ts'
import { keepTransactionOpen, openTestDb, testKeys, untilBlocked } from '../../../../support/core/database.ts'
import { instantIn } from '../../../../support/core/instants.ts'
import { queuedJobs } from '../../../../support/core/jobs.ts'
import { makeShop } from '../../../../support/core/people.ts'
import { product, variant } from '../../../../support/make/catalogue.ts'

const cipher = createTokenCipher(testKeys)
const install = (db: Db, domain: string) =>
  installShop(db, cipher, domain, { access_token: 'a token', scope: 'read_products' })

/** As the job of the webhook does it. Returns whether the installation was ended. */
const uninstall = (db: Db, shopId: number) =>
  db.transaction(
    async (tx) =>
      (await lockInstalledShop(tx, shopId, { isEnding: true })) &&
      (await uninstallShop(tx, shopId, instantIn(60_000).toISOString())),
  )

t.test(
  'an uninstall waits for the transactions that need the shop, which do not wait for each other',
  async (t) => {
    const { db } = await openTestDb(t)
    const { shopId } = await makeShop(db, 'alice')
    const endFirst = await keepTransactionOpen(t, db, (tx) => lockInstalledShop(tx, shopId))
    const endSecond = await keepTransactionOpen(t, db, (tx) => lockInstalledShop(tx, shopId))
    t.comment('the token may change meanwhile')
    await db.query(sql.typeAlias('void')`
    update shop_credential set updated_at = now() where shop_id = ${shopId}
  `)
    const uninstalled = uninstall(db, shopId)
    await untilBlocked(db, 1)
    await endFirst()
    await untilBlocked(db, 1)
    await endSecond()
    t.equal(await uninstalled, true)
    t.equal(await db.transaction((tx) => lockInstalledShop(tx, shopId)), false)
    t.equal(await inInstalledShop(db, shopId, async () => t.fail('the app is not installed')), null)
  },
)

t.test('no row of shop is locked', async (t) => {
  const { db } = await openTestDb(t)
  const { shopId } = await makeShop(db, 'alice')
  const end = await keepTransactionOpen(t, db, (tx) => lockInstalledShop(tx, shopId, { isEnding: true }))
  t.ok(
    await db.maybeOne(sql.typeAlias('id')`select id from shop where id = ${shopId} for update skip locked`),
    'another transaction gets the row',
  )
  await end()
})

t.test('an installation and an uninstall at the same time do not deadlock', async (t) => {
  const { db } = await openTestDb(t)
  const { shopDomain } = await makeShop(db, 'alice')
  for (let round = 0; round < 20; round += 1) {
    const { id } = await install(db, shopDomain)
    const both = [install(db, shopDomain), uninstall(db, id), install(db, shopDomain), uninstall(db, id)]
    await t.resolves(Promise.all(both))
  }
})

t.test('an installation with a new token sends the costs that wait', async (t) => {
  const { db } = await openTestDb(t)
  const { shopId, shopDomain } = await makeShop(db, 'alice')
  await db.transaction((tx) => upsertProducts(tx, shopId, [product(1, [variant(1)])]))
  await db.query(sql.typeAlias('void')`
    insert into cost_push (shop_id, variant_id, cost, requested_at)
    select shop_id, id, 5, now() from variant where shop_id = ${shopId}
  `)
  await install(db, shopDomain)
  t.equal((await queuedJobs(db, { shopId, task: 'push-costs' })).length, 1)
})

t.test('a shop is found again after an uninstall and a new installation', async (t) => {
  const { db } = await openTestDb(t)
  const { shopId, shopDomain } = await makeShop(db, 'alice')
  t.equal((await findInstalledShop(db, shopDomain))?.id, shopId)
  t.equal((await findInstalledShop(db, shopDomain))?.id, shopId, 'from what was found before')
  await uninstall(db, shopId)
  t.equal(await findInstalledShop(db, shopDomain), null)
  const { id } = await install(db, shopDomain)
  t.not(id, shopId)
  t.equal((await findInstalledShop(db, shopDomain))?.id, id)
  t.equal(await findInstalledShop(db, `other-${shopDomain}`), null)
})
