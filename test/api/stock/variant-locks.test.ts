import t from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { lockVariants, moveStock } from '../../../shared/domain/ledgers/stock/move.ts'
import { startApp } from '../../support/core/app.ts'
import { keepTransactionOpen, untilBlocked, useOwnDatabase } from '../../support/core/database.ts'
import { levelsOf, makeStock } from '../../support/make/stock.ts'

// the test counts the sessions that wait for a lock
useOwnDatabase()

t.test('a change of two levels of a variant passes others that wait for the variant', async (t) => {
  const { db, alice } = await startApp(t)
  const { shopId } = alice
  await makeStock(db, alice, { locations: 2 })
  const idsOf = (table: 'variant' | 'location') =>
    db.anyFirst(sql.typeAlias('id')`
      select id from ${sql.identifier([table])} where shop_id = ${shopId} order by id
    `)
  const [[variantId = 0], [first = 0, second = 0]] = [await idsOf('variant'), await idsOf('location')]
  const commit = await keepTransactionOpen(t, db, (tx) =>
    tx.query(sql.typeAlias('void')`update variant set unit_cost = 3 where shop_id = ${shopId}`),
  )
  const change = { kind: 'delta', form: 'adjust', reference: 'test', actor: alice.userId } as const
  const lines = [first, second].map((locationId) => ({ variantId, locationId, delta: 1 }))
  const moved = db.transaction((tx) => moveStock(tx, shopId, change, lines))
  await untilBlocked(db, 1)
  const locked = db.transaction((tx) => lockVariants(tx, shopId, [variantId]))
  await untilBlocked(db, 2)
  await commit()
  t.equal(await moved, 2)
  await locked
  t.match(await levelsOf(db, alice), { '1/1': [11, 10], '1/2': [11, 10] })
})
