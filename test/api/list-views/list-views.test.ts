import t, { type Test } from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { ListName, type ListView } from '../../../shared/schemas/list-views.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { keepTransactionOpen, untilBlocked } from '../../support/core/database.ts'
import { makeColleague, type Person } from '../../support/core/people.ts'

/** A refusal that names the field. */
function expectFault(t: Test, response: Parameters<typeof expectFailure>[1], path: string) {
  const { details } = expectFailure(t, response, 400, 'invalid_request', path)
  t.equal(details?.[0]?.path, path)
}

const view = (fields: object = {}) => ({
  list: 'purchase-orders',
  name: 'Late at Beta',
  query: 'stage=overdue&sort=-total&search=caf%C3%A9+au+lait',
  columns: ['Order', 'Supplier'],
  ...fields,
})

const namesOf = async (person: Person, list = 'purchase-orders') =>
  (await person.get(`/api/list-views?list=${list}`)).json().data.map(({ name }: ListView) => name)

t.test('a view is saved for the shop, renamed, replaced and deleted', async (t) => {
  const { app, alice } = await startApp(t)
  const bob = await makeColleague(app, alice, 'bob')
  const created = await alice.post('/api/list-views', view())
  t.equal(created.statusCode, 201)
  const { id, ...saved } = created.json().data
  t.match(saved, { ...view(), createdBy: alice.userId })
  await alice.post('/api/list-views', view({ name: 'all', query: '', columns: null }))
  await alice.post('/api/list-views', view({ list: 'suppliers', name: 'Late at Beta' }))
  t.strictSame(await namesOf(bob), ['all', 'Late at Beta'], 'a colleague sees them, by name')
  t.strictSame(await namesOf(bob, 'suppliers'), ['Late at Beta'])
  const renamed = (await bob.put(`/api/list-views/${id}`, { name: 'Late' })).json().data
  t.match(renamed, { name: 'Late', query: view().query, columns: view().columns })
  const replaced = (await bob.put(`/api/list-views/${id}`, { query: 'status=draft', columns: null })).json()
    .data
  t.match(replaced, { name: 'Late', query: 'status=draft', columns: null })
  t.equal((await bob.delete(`/api/list-views/${id}`)).statusCode, 200)
  t.strictSame(await namesOf(alice), ['all'])
  expectFailure(t, await alice.delete(`/api/list-views/${id}`), 404, 'not_found')
})

t.test('each list of the admin has views of its own', async (t) => {
  const { alice } = await startApp(t)
  for (const { const: list } of ListName.anyOf) {
    t.equal((await alice.post('/api/list-views', view({ list }))).statusCode, 201, list)
    t.strictSame(await namesOf(alice, list), ['Late at Beta'])
  }
})

t.test('the API names invalid fields of a view, and refuses a second one of a name', async (t) => {
  const { alice } = await startApp(t)
  for (const [fields, path] of [
    [{ list: 'cars' }, '/list'],
    [{ name: ' ' }, '/name'],
    [{ name: 'x'.repeat(61) }, '/name'],
    [{ query: 'status=draft\nsort=total' }, '/query'],
    [{ query: `search=${'x'.repeat(2000)}` }, '/query'],
    [{ columns: [''] }, '/columns/0'],
    [{ columns: Array.from({ length: 41 }, (_, at) => `c${at}`) }, '/columns'],
  ] as const) {
    expectFault(t, await alice.post('/api/list-views', view(fields)), path)
  }
  const { id } = (await alice.post('/api/list-views', view())).json().data
  const taken = await alice.post('/api/list-views', view({ name: 'LATE AT BETA' }))
  expectFailure(t, taken, 409, 'view_name_taken')
  await alice.post('/api/list-views', view({ name: 'Other' }))
  expectFailure(t, await alice.put(`/api/list-views/${id}`, { name: 'other' }), 409, 'view_name_taken')
  expectFault(t, await alice.get('/api/list-views'), '/list')
})

t.test('a list has at most 50 views', async (t) => {
  const { alice } = await startApp(t)
  for (let at = 0; at < 50; at++) await alice.post('/api/list-views', view({ name: `View ${at}` }))
  expectFailure(t, await alice.post('/api/list-views', view()), 409, 'too_many_views')
  t.equal((await alice.post('/api/list-views', view({ list: 'suppliers' }))).statusCode, 201)
})

t.test('a view belongs to one shop', async (t) => {
  const { alice, mallory } = await startApp(t)
  const { id } = (await alice.post('/api/list-views', view())).json().data
  t.strictSame(await namesOf(mallory), [])
  expectFailure(t, await mallory.put(`/api/list-views/${id}`, { name: 'Mine' }), 404, 'not_found')
  expectFailure(t, await mallory.delete(`/api/list-views/${id}`), 404, 'not_found')
  t.equal((await mallory.post('/api/list-views', view())).statusCode, 201, 'the name is free there')
  t.strictSame(await namesOf(alice), ['Late at Beta'])
})

t.test('two users change different parts of a view at once, and both changes stay', async (t) => {
  const { app, db, alice } = await startApp(t)
  const bob = await makeColleague(app, alice, 'bob')
  const { id } = (await alice.post('/api/list-views', view())).json().data
  // the test locks the row, so that both requests wait with what they have read
  const release = await keepTransactionOpen(t, db, (tx) =>
    tx.query(sql.typeAlias('void')`
      select from list_view where shop_id = ${alice.shopId} and id = ${id} for update
    `),
  )
  const changes = [
    alice.put(`/api/list-views/${id}`, { name: 'Renamed' }),
    bob.put(`/api/list-views/${id}`, { columns: ['Order'] }),
  ].map((change) => change.then(({ statusCode }) => statusCode))
  await untilBlocked(db, 2)
  await release()
  t.strictSame(await Promise.all(changes), [200, 200])
  t.match((await alice.get('/api/list-views?list=purchase-orders')).json().data, [
    { name: 'Renamed', columns: ['Order'] },
  ])
})
