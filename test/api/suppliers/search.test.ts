import t from 'tap'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { type Person, readPages } from '../../support/core/people.ts'
import { makeSupplier } from '../../support/make/orders.ts'

const found = async (person: Person, search: string) => {
  const answer = await person.get(`/api/suppliers?search=${encodeURIComponent(search)}`)
  return answer.json().data.map(({ name }: { name: string }) => name)
}

t.test('the list of suppliers is searched by name, newest first', async (t) => {
  const { alice, mallory } = await startApp(t)
  const names = ['Northgate Ltd', 'South_gate', 'Größe & Söhne', 'NORTHERN 100%']
  for (const name of names) await makeSupplier(alice, { name, notes: 'Paper' })
  await makeSupplier(mallory, { name: 'Northgate of another shop' })
  t.strictSame(await found(alice, 'north'), ['NORTHERN 100%', 'Northgate Ltd'])
  t.strictSame(await found(alice, ' GATE '), ['South_gate', 'Northgate Ltd'])
  t.strictSame(await found(alice, 'größe'), ['Größe & Söhne'])
  t.strictSame(await found(alice, '_'), ['South_gate'], 'a wildcard is a character')
  t.strictSame(await found(alice, '%'), ['NORTHERN 100%'])
  t.strictSame(await found(alice, 'paper'), [])
  t.equal((await found(alice, '')).length, 4)
  t.equal((await readPages(alice, '/api/suppliers?search=gate&limit=1')).length, 2, 'pages keep the search')
})

t.test('the search covers aliases and account numbers', async (t) => {
  const { alice } = await startApp(t)
  await makeSupplier(alice, { name: 'One', accountNumber: 'C-4711' })
  await makeSupplier(alice, { name: 'Two', aliases: ['Northgate Ltd', 'Northgate GmbH'] })
  t.strictSame(await found(alice, 'c-47'), ['One'])
  t.strictSame(await found(alice, 'NORTHGATE'), ['Two'])
})

t.test('the list answers CSV with the same search, without formulas', async (t) => {
  const { alice, mallory } = await startApp(t)
  await makeSupplier(alice, { name: '=Northgate', accountNumber: 'C-4711', currency: 'EUR', leadTimeDays: 7 })
  await makeSupplier(alice, { name: 'Southgate' })
  await makeSupplier(mallory, { name: 'Northgate of another shop' })
  const { body } = await alice.get('/api/suppliers?search=north', { accept: 'text/csv' })
  const [header, first, ...rest] = body.trim().split('\n')
  t.equal(
    header,
    'Supplier,E-mail,Phone,Lead time (days),Payment terms,Account number,Currency,Created (UTC),Archived (UTC),Supplier ID',
  )
  t.match(first, /^'=Northgate,[^,]*,,7,,C-4711,EUR,/)
  t.strictSame(rest, [])
})

t.test('an archived supplier is not found, and a text that is too long is refused', async (t) => {
  const { alice } = await startApp(t)
  const id = await makeSupplier(alice, { name: 'Northgate' })
  await alice.delete(`/api/suppliers/${id}`)
  t.strictSame(await found(alice, 'north'), [])
  expectFailure(t, await alice.get(`/api/suppliers?search=${'x'.repeat(201)}`), 400, 'invalid_request')
})
