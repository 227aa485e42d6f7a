import t from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { lockVariants } from '../../../shared/domain/ledgers/stock/move.ts'
import { startApp } from '../../support/core/app.ts'
import { keepTransactionOpen, untilBlocked } from '../../support/core/database.ts'
import { item, makeShippedTransfer, makeStock, variantGid } from '../../support/make/stock.ts'

t.test(
  'losses and stock of a transfer lock their variants together, in the order of their ids',
  async (t) => {
    const { db, alice } = await startApp(t)
    const { shopId } = alice
    await makeStock(db, alice, { variants: 2, locations: 2 })
    for (const number of [1, 2]) await alice.put(`/api/variants/${number}`, { unitCost: 2 })
    const [first = 0, second = 0] = await db.anyFirst(sql.typeAlias('id')`
    select id from variant where shop_id = ${shopId} order by id
  `)
    /** While another transaction has the first variant, the second one must stay free. */
    const expectOrder = async (act: () => ReturnType<typeof alice.post>) => {
      const commit = await keepTransactionOpen(t, db, (tx) => lockVariants(tx, shopId, [first]))
      const acting = act()
      await untilBlocked(db, 1)
      const free = await db.anyFirst(sql.typeAlias('id')`
      select id from variant where shop_id = ${shopId} and id = ${second} for no key update skip locked
    `)
      t.strictSame(free, [second])
      await commit()
      const answer = await acting
      t.equal(answer.statusCode, 200)
      return answer.json().data
    }
    const { id } = await makeShippedTransfer(alice, { items: [item(1, 5), item(2, 5)] })
    const { eventId } = await expectOrder(() =>
      alice.post(`/api/stock-transfers/${id}/receive`, {
        items: [
          { variantId: variantGid(1), received: 5 },
          { variantId: variantGid(2), received: 0, lost: 5 },
        ],
      }),
    )
    await expectOrder(() => alice.post(`/api/stock-transfers/${id}/events/${eventId}/reverse`))
  },
)
