import pg from 'pg'
import t, { type Test } from 'tap'
import { upsertProducts } from '../../../shared/domain/exchange/sync/upsert-products.ts'
import type { VendorSuppliers } from '../../../shared/schemas/suppliers.ts'
import { startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { product, variant } from '../../support/make/catalogue.ts'
import { allRowsOf } from '../../support/make/everything.ts'
import { makeSupplier } from '../../support/make/orders.ts'
import { makeArchivedSupplier, supplierProducts } from '../../support/make/supplier-products.ts'

type Options = {
  dryRun?: boolean
  names?: { vendor: string; supplier: string }[]
  emails?: { vendor: string; email: string }[]
}

async function start(t: Test, vendors: (string | null)[]) {
  const people = await startApp(t)
  const products = vendors.map((vendor, at) =>
    product(at + 1, [variant(2 * at + 1), variant(2 * at + 2)], { vendor }),
  )
  await people.db.transaction((tx) => upsertProducts(tx, people.alice.shopId, products))
  return people
}

async function run(person: Person, { dryRun = false, ...more }: Options = {}): Promise<VendorSuppliers> {
  const answer = await person.post('/api/suppliers/from-vendors', { dryRun, ...more })
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.json().data
}

t.test('vendors become suppliers, and spellings of one vendor are one', async (t) => {
  const { db, alice, mallory } = await start(t, ['Acme ', 'ACME', 'acme', 'Blue  Kiln', 'Known', null, ' '])
  const known = await makeSupplier(alice, { name: 'Known Ltd', aliases: ['known'] })
  const before = await allRowsOf(db, alice)
  const preview = await run(alice, { dryRun: true })
  t.strictSame(await allRowsOf(db, alice), before, 'a dry run changes nothing')
  t.match(preview, {
    suppliersCreated: 2,
    suppliersMatched: 1,
    aliasesCreated: 2,
    productsCreated: 10,
    suppliers: [
      { supplierId: null, supplierName: /^acme$/i, outcome: 'created', productCount: 3, newProducts: 6 },
      {
        supplierName: 'Blue Kiln',
        outcome: 'created',
        vendors: ['Blue  Kiln'],
        newAliases: 1,
        newProducts: 2,
      },
      { supplierId: known, supplierName: 'Known Ltd', outcome: 'matched', newAliases: 0, newProducts: 2 },
    ],
  })
  t.strictSame(preview.suppliers[0]?.vendors.toSorted(), ['ACME', 'Acme ', 'acme'])

  const result = await run(alice)
  const counts = ({ suppliers: _suppliers, ...rest }: VendorSuppliers) => rest
  t.strictSame(counts(result), counts(preview), 'it creates what the dry run said')
  const acme = result.suppliers[0]?.supplierId ?? 0
  t.match((await alice.get(`/api/suppliers/${acme}`)).json().data, {
    name: /^acme$/i,
    aliases: [/^acme$/i],
    version: 1,
  })
  t.equal((await supplierProducts(alice, acme)).length, 6)
  t.equal((await supplierProducts(alice, known)).length, 2)

  const after = await allRowsOf(db, alice)
  t.match(await run(alice), {
    suppliersCreated: 0,
    suppliersMatched: 3,
    aliasesCreated: 0,
    productsCreated: 0,
  })
  t.strictSame(await allRowsOf(db, alice), after, 'a second run changes nothing')
  t.match(await run(mallory), { suppliersCreated: 0, suppliers: [] })
})

t.test('several vendors become one supplier by name', async (t) => {
  const { db, alice } = await start(t, ['Acme', 'Acme Ltd', 'Other'])
  const names = [
    { vendor: 'acme  LTD', supplier: 'Acme' },
    { vendor: 'Other', supplier: 'Acme' },
  ]
  t.match(await run(alice, { names }), {
    suppliersCreated: 1,
    aliasesCreated: 3,
    productsCreated: 6,
    suppliers: [{ supplierName: 'Acme', vendors: ['Acme', 'Acme Ltd', 'Other'] }],
  })
  const after = await allRowsOf(db, alice)
  await run(alice)
  t.strictSame(await allRowsOf(db, alice), after, 'the aliases keep the choice')
})

t.test('an archived supplier of a vendor stays archived', async (t) => {
  const { db, alice } = await start(t, ['Acme'])
  const id = await makeArchivedSupplier(alice, 'ACME')
  const before = await allRowsOf(db, alice)
  t.match(await run(alice), {
    suppliersCreated: 0,
    productsCreated: 0,
    suppliers: [{ supplierId: id, outcome: 'archived', newAliases: 0, newProducts: 0 }],
  })
  t.strictSame(await allRowsOf(db, alice), before)

  const listed = await makeSupplier(alice, { name: 'acme' })
  t.match(await run(alice), { productsCreated: 2, suppliers: [{ supplierId: listed, outcome: 'matched' }] })
})

t.test('two runs at once create each supplier once', async (t) => {
  const { alice } = await start(t, ['Acme', 'Blue', 'Carbon'])
  const results = await Promise.all([run(alice), run(alice), run(alice)])
  t.strictSame(results.map(({ suppliersCreated }) => suppliersCreated).sort(), [0, 0, 3])
  t.equal((await alice.get('/api/suppliers')).json().data.length, 3)
})

t.test('the vendors of 10 000 products take a few statements', async (t) => {
  const { db, alice } = await start(t, [])
  const spellings = ['Vendor', 'VENDOR', 'vendor ']
  for (let from = 0; from < 10_000; from += 500) {
    const products = Array.from({ length: 500 }, (_, at) => {
      const number = from + at + 1
      const vendor = `${spellings[number % 3]} ${number % 40}`
      return product(number, [variant(number)], { vendor })
    })
    await db.transaction((tx) => upsertProducts(tx, alice.shopId, products))
  }
  const statements = t.capture(pg.Client.prototype, 'query', pg.Client.prototype.query)
  const result = await run(alice)
  const count = statements().length
  t.ok(count > 3 && count < 30, `${count} statements`)
  t.match(result, { suppliersCreated: 40, aliasesCreated: 40, productsCreated: 10_000 })
  t.equal(result.suppliers[0]?.vendors.length, 3)
  t.match(await run(alice), { suppliersCreated: 0, suppliersMatched: 40, productsCreated: 0 })
})

t.test('a supplier that is created gets the e-mail address of one of its vendors', async (t) => {
  const { alice } = await start(t, ['Acme ', 'ACME', 'Kiln', 'Known'])
  await makeSupplier(alice, { name: 'Known', email: 'old@known.example' })
  const emails = [
    { vendor: 'acme', email: 'orders@acme.example' },
    { vendor: 'Known', email: 'new@known.example' },
  ]
  t.match(await run(alice, { emails }), { suppliersCreated: 2 })
  const listed: { id: number }[] = (await alice.get('/api/suppliers')).json().data
  const suppliers = listed.map(async ({ id }) => (await alice.get(`/api/suppliers/${id}`)).json().data)
  t.strictSame(
    (await Promise.all(suppliers)).map(({ name, email }) => `${name.toLowerCase()} ${email}`).sort(),
    ['acme orders@acme.example', 'kiln ', 'known old@known.example'],
    'a known supplier keeps its own',
  )
  const refused = await alice.post('/api/suppliers/from-vendors', {
    dryRun: false,
    emails: [{ vendor: 'Kiln', email: 'nothing' }],
  })
  t.equal(refused.statusCode, 400)
  t.match(refused.json().error.details, [{ path: '/emails/0/email' }])
})
