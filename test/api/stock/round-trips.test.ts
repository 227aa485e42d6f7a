import t from 'tap'
import { recordStatements } from '../../../dev/postgres/statements.ts'
import { adjustStock } from '../../../shared/domain/ledgers/stock/adjust.ts'
import { setStock } from '../../../shared/domain/ledgers/stock/bulk.ts'
import { startApp } from '../../support/core/app.ts'
import { locationGid, makeStock, variantGid } from '../../support/make/stock.ts'

t.test('a change of stock takes one statement, also where the shop requires reasons', async (t) => {
  const { db: pool, alice } = await startApp(t)
  await makeStock(pool, alice, { variants: 10 })
  const { db, statements } = recordStatements(pool)
  const lines = Array.from({ length: 10 }, (_, at) => ({
    ...{ variantId: variantGid(at + 1), locationId: locationGid(1) },
    reason: 'Found',
  }))
  let quantity = 10
  for (const adjustmentReasonRequired of [false, true]) {
    await alice.put('/api/settings', { adjustmentReasonRequired })
    for (const count of [1, 10]) {
      statements.length = 0
      const given = lines.slice(0, count)
      quantity += 10
      const adjustments = given.map((line) => ({ ...line, quantity }))
      t.equal((await setStock(db, alice.shopId, 'alice-1', { adjustments })).levels.length, count)
      // several lines may name variants of one item, which have one level
      t.equal(statements.length, count === 1 ? 1 : 2, `${count} levels are set`)

      statements.length = 0
      const deltas = given.map((line) => ({ ...line, delta: 1 }))
      t.equal((await adjustStock(db, alice.shopId, 'alice-1', { adjustments: deltas })).levels.length, count)
      t.equal(statements.length, 1, `${count} levels are adjusted`)
    }
  }
})
