import t, { type Test } from 'tap'
import { planOf, recordStatements } from '../../../dev/postgres/statements.ts'
import { sql } from '../../../shared/db/db.ts'
import { listAlerts } from '../../../shared/domain/kit/alerts/alerts.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { useOwnDatabase } from '../../support/core/database.ts'
import { type Person, readPages } from '../../support/core/people.ts'
import { expectLimits, expectPaged, searchOf } from '../../support/core/searches.ts'
import { makeAlert } from '../../support/make/alerts.ts'
import { makeSentOrder } from '../../support/make/orders.ts'
import { insertRule } from '../../support/make/reorder.ts'
import { makeStock } from '../../support/make/stock.ts'

useOwnDatabase()

const list = '/api/alerts'
const found = searchOf(list)

/** Alerts with these sentences; another shop has the same. */
async function start(t: Test) {
  const { db, alice, mallory } = await startApp(t)
  const make = async (person: Person) => ({
    mugs: await makeAlert(db, person, { message: 'Mugs 100% wool are low.' }),
    old: await makeAlert(db, person, { message: 'Mugs of Größe_2 are low.', isResolved: true }),
    mail: await makeAlert(db, person, { type: 'mail_failed', message: 'The e-mail of PO-00009 failed.' }),
  })
  return { db, alice, mallory, ...(await make(alice)), others: await make(mallory) }
}

t.test('alerts are searched by their sentence, newest first', async (t) => {
  const { alice, mugs, old, mail } = await start(t)
  t.strictSame(await found(alice, ' MUGS '), [old, mugs])
  t.strictSame(await found(alice, 'größe'), [old])
  t.strictSame(await found(alice, 'po-00009'), [mail])
  t.strictSame(await found(alice, 'nothing'), [])
  t.strictSame(await found(alice, ' '), [mail, old, mugs], 'a blank search is none')
  t.strictSame(await found(alice, 'mugs', '&state=open'), [mugs], 'filters hold with the search')
  t.strictSame(await found(alice, 'mugs', '&state=resolved'), [old])
  t.strictSame(await found(alice, 'failed', '&type=low_stock'), [])
})

t.test('the sentence of an alert names its product or its order and supplier', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { available: 1 })
  await insertRule(db, alice)
  const order = await makeSentOrder(alice, { expectedAt: '2026-01-01T12:00:00Z' })
  await alice.put(`/api/purchase-orders/${order.id}`, { expectedAt: '2026-03-03T12:00:00Z' })
  const [overdue, low] = await found(alice, '')
  t.strictSame(await found(alice, 'mug 1 - size 1'), [low])
  t.strictSame(await found(alice, order.poNumber), [overdue])
  t.strictSame(await found(alice, 'acme'), [overdue])
})

t.test('wildcard characters in the search of alerts are characters', async (t) => {
  const { alice, mugs, old } = await start(t)
  t.strictSame(await found(alice, '%'), [mugs])
  t.strictSame(await found(alice, '_'), [old])
  t.strictSame(await found(alice, 'm%s'), [])
  t.strictSame(await found(alice, 'mug_'), [])
  t.strictSame(await found(alice, '\\'), [])
})

t.test('the search of alerts is paged over open and resolved ones, and limited', async (t) => {
  const { alice, mugs, old } = await start(t)
  await expectPaged(t, alice, { list, search: 'mugs', expected: [old, mugs] })
  await expectLimits(t, alice, list)
})

t.test('alerts are listed oldest first, too, in pages and by an index', async (t) => {
  const { db, alice, mugs, old, mail } = await start(t)
  for (const limit of [1, 2, 3]) {
    t.strictSame((await readPages(alice, `${list}?sort=oldest&limit=${limit}`)).flat(), [mugs, old, mail])
    t.strictSame((await readPages(alice, `${list}?sort=newest&limit=${limit}`)).flat(), [mail, old, mugs])
  }
  t.strictSame(await found(alice, 'mugs', '&sort=oldest&limit=1'), [mugs, old], 'with a search')
  t.strictSame(await found(alice, '', '&sort=oldest&state=open'), [mugs, mail], 'with a filter')
  expectFailure(t, await alice.get(`${list}?sort=type`), 400, 'invalid_request')
  await db.query(sql.typeAlias('void')`
    insert into alert (shop_id, type, subject, message, resolved_at)
    select ${alice.shopId}, 'low_stock', 'test/sort/' || n, 'Low.', case when n % 10 > 0 then now() end
    from generate_series(1, 5000) n
  `)
  await db.query(sql.typeAlias('void')`analyze alert`)
  const { db: recorded, statements } = recordStatements(db)
  const filter = { sort: 'oldest', state: 'open', limit: 50 } as const
  const { next } = await listAlerts(recorded, alice.shopId, filter)
  await listAlerts(recorded, alice.shopId, { ...filter, cursor: Number(next) })
  t.equal(statements.length, 2)
  for (const statement of statements) {
    const plan = await planOf(db, statement)
    t.match(plan, /Index Scan Backward using alert_shop_id_id_idx\b/, plan)
  }
})

t.test('the search finds no alert of another shop', async (t) => {
  const { mallory, others } = await start(t)
  t.strictSame(await found(mallory, 'mugs'), [others.old, others.mugs])
  t.strictSame(await found(mallory, 'po-00009'), [others.mail])
})
