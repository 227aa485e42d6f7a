import t from 'tap'
import type { SupplierInput } from '../../../shared/schemas/suppliers.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { type Person, readPages } from '../../support/core/people.ts'
import { line, makeOrder, makeSupplier, readOrder } from '../../support/make/orders.ts'

const full: SupplierInput = {
  name: 'Acme',
  email: 'orders@acme.example.com',
  phone: '+1 555 0100',
  address: '1 Long Road\nTownsville',
  leadTimeDays: 14,
  paymentTerms: 'Net 30',
  notes: 'Closed on\tFridays',
  accountNumber: 'C-4711',
  currency: 'EUR',
  addressLine1: '1 Long Road',
  addressLine2: 'Gate 3',
  city: 'Townsville',
  region: 'Queensland',
  postalCode: '4810',
  countryCode: 'AU',
  taxId: 'AU 51 824 753 556',
  minimumOrderValue: 250.5,
  minimumOrderQuantity: 12,
  freeFreightValue: 1000,
  orderCycleDays: 14,
  defaultTaxRate: 19.125,
  language: 'de',
  externalRef: 'erp-9',
  aliases: ['Acme & Co', 'ACME Ltd'],
}

const empty = {
  email: '',
  phone: '',
  address: '',
  leadTimeDays: null,
  paymentTerms: '',
  notes: '',
  accountNumber: '',
  currency: null,
  addressLine1: '',
  addressLine2: '',
  city: '',
  region: '',
  postalCode: '',
  countryCode: null,
  taxId: '',
  minimumOrderValue: null,
  minimumOrderQuantity: null,
  freeFreightValue: null,
  orderCycleDays: null,
  defaultTaxRate: null,
  language: null,
  externalRef: '',
  aliases: [],
}

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const read = async (person: Person, id: number) => (await person.get(`/api/suppliers/${id}`)).json().data
const names = async (person: Person) => {
  const { data }: { data: { name: string }[] } = (await person.get('/api/suppliers')).json()
  return data.map(({ name }) => name)
}

t.test('a supplier is created with all its fields', async (t) => {
  const { alice } = await startApp(t)
  const answer = await alice.post('/api/suppliers', full)
  t.equal(answer.statusCode, 201)
  const { id, createdAt } = answer.json().data
  t.strictSame(answer.json(), { success: true, data: { id, name: 'Acme', createdAt } })
  t.match({ id, createdAt }, { id: Number, createdAt: timestamp })
  t.strictSame(await read(alice, id), {
    id,
    ...full,
    version: 1,
    contacts: [],
    createdAt,
    updatedAt: createdAt,
    archivedAt: null,
  })
})

t.test('a supplier needs only a name', async (t) => {
  const { alice } = await startApp(t)
  const id = (await alice.post('/api/suppliers', { name: 'Acme' })).json().data.id
  const { createdAt, updatedAt, ...supplier } = await read(alice, id)
  t.strictSame(supplier, { id, name: 'Acme', ...empty, version: 1, contacts: [], archivedAt: null })
})

t.test('texts are trimmed, and null counts as omitted', async (t) => {
  const { alice } = await startApp(t)
  const input = {
    name: '  Acme \n',
    phone: ' 1 ',
    notes: '\n a\n b \n',
    email: ' a@b.example.com ',
    address: null,
  }
  const id = (await alice.post('/api/suppliers', { ...input, leadTimeDays: null })).json().data.id
  t.match(await read(alice, id), {
    name: 'Acme',
    phone: '1',
    notes: 'a\n b',
    email: 'a@b.example.com',
    address: '',
    leadTimeDays: null,
  })
})

t.test('a text in any script is stored unchanged', async (t) => {
  const { alice } = await startApp(t)
  const name = 'Łódź – 株式会社 – شركة – 👩🏽‍🏭 – <b>&amp;</b>'
  const id = (await alice.post('/api/suppliers', { name })).json().data.id
  t.equal((await read(alice, id)).name, name)
})

t.test('the API names every value out of range', async (t) => {
  const { alice } = await startApp(t)
  const bad = {
    name: ' ',
    email: 'invalid',
    phone: 'x'.repeat(51),
    address: 'x'.repeat(1001),
    leadTimeDays: 731,
    paymentTerms: 'two\nlines',
    notes: 'x'.repeat(5001),
    website: 'https://acme.example.com',
  }
  const { details } = expectFailure(t, await alice.post('/api/suppliers', bad), 400, 'invalid_request')
  t.strictSame(
    details?.map(({ path }) => path).sort(),
    Object.keys(bad)
      .map((name) => `/${name}`)
      .sort(),
  )
  t.strictSame(await names(alice), [])

  const largest = {
    name: 'x'.repeat(200),
    phone: 'x'.repeat(50),
    address: 'x'.repeat(1000),
    leadTimeDays: 730,
  }
  t.equal((await alice.post('/api/suppliers', largest)).statusCode, 201, 'the limits themselves are valid')
})

t.test('the API accepts only known currencies and countries', async (t) => {
  const { alice } = await startApp(t)
  const rules = {
    currency: 'must be the code of a currency, as in EUR',
    countryCode: 'must be the code of a country, as in FR',
  }
  const bad = { currency: ['ZZZ', 'EUX', 'eur', 'XXX'], countryCode: ['QZ', 'UK', 'EU', 'fr', 'ZZ'] } as const
  for (const field of ['currency', 'countryCode'] as const)
    for (const code of bad[field]) {
      const answer = await alice.post('/api/suppliers', { name: 'Acme', [field]: code })
      const { details } = expectFailure(t, answer, 400, 'invalid_request', code)
      t.strictSame(details, [{ path: `/${field}`, message: rules[field] }])
    }
  for (const [currency, countryCode] of [
    ['KWD', 'XK'],
    ['JEP', 'JE'],
    ['HRK', 'HR'],
  ])
    t.equal((await alice.post('/api/suppliers', { name: 'Acme', currency, countryCode })).statusCode, 201)
})

t.test('the API accepts exactly one plain e-mail address', async (t) => {
  const { alice } = await startApp(t)
  const bad = [
    'a',
    'a@b',
    '@b.example',
    'a@b.example, c@d.example',
    'A <a@b.example>',
    'a@b.example\nBcc: c@d.example',
    'a b@c.example',
    'a@-b.example',
    `${'x'.repeat(250)}@b.example`,
  ]
  for (const email of bad) {
    const answer = await alice.post('/api/suppliers', { name: 'Acme', email })
    const { details } = expectFailure(t, answer, 400, 'invalid_request', email)
    t.strictSame(details, [{ path: '/email', message: 'must be an e-mail address' }])
  }
})

t.test('the list is newest first and omits details', async (t) => {
  const { alice, mallory } = await startApp(t)
  for (const name of ['First', 'Second', 'Third']) await makeSupplier(alice, { ...full, name, aliases: [] })
  const { data } = (await alice.get('/api/suppliers')).json()
  t.strictSame(await names(alice), ['Third', 'Second', 'First'])
  const { id, createdAt } = data[0]
  const { email, phone, leadTimeDays, paymentTerms, accountNumber, currency } = full
  const details = { email, phone, leadTimeDays, paymentTerms, accountNumber, currency }
  t.strictSame(data[0], { id, name: 'Third', ...details, createdAt, archivedAt: null })
  t.strictSame(await names(mallory), [])
})

t.test('the pages of the list contain every supplier once', async (t) => {
  const { alice } = await startApp(t)
  const ids: number[] = []
  for (let number = 0; number < 7; number++) ids.unshift(await makeSupplier(alice))
  for (const limit of [1, 3, 7, 8]) {
    const pages = await readPages(alice, `/api/suppliers?limit=${limit}`)
    t.strictSame(pages.flat(), ids, `${limit} at a time`)
    t.equal(pages.length, Math.ceil(7 / limit), 'no empty page at the end')
  }
})

t.test('added and deleted suppliers do not shift the next page', async (t) => {
  const { alice } = await startApp(t)
  const ids: number[] = []
  for (let number = 0; number < 4; number++) ids.unshift(await makeSupplier(alice))
  const first = await alice.get('/api/suppliers?limit=2')
  const next = /^<(.+)>; rel="next"$/.exec(String(first.headers.link))?.[1] ?? ''
  await makeSupplier(alice)
  await alice.delete(`/api/suppliers/${ids[1]}`)
  const { data }: { data: { id: number }[] } = (await alice.get(next)).json()
  t.strictSame(
    data.map(({ id }) => id),
    ids.slice(2),
  )
})

t.test('an update changes only its fields', async (t) => {
  const { alice } = await startApp(t)
  const id = await makeSupplier(alice, full)
  const before = await read(alice, id)
  const answer = await alice.put(`/api/suppliers/${id}`, { name: ' Apex ', leadTimeDays: 0 })
  t.equal(answer.statusCode, 200)
  const { updatedAt } = answer.json().data
  t.strictSame(answer.json(), { success: true, data: { id, name: 'Apex', updatedAt, version: 2 } })
  t.ok(updatedAt > before.updatedAt)
  const aliases = ['Acme', ...(full.aliases ?? [])]
  const after = { ...before, name: 'Apex', aliases, leadTimeDays: 0, updatedAt, version: 2 }
  t.strictSame(await read(alice, id), after, 'the old name stays an alias')

  const unchanged = await alice.put(`/api/suppliers/${id}`, {})
  t.equal(unchanged.statusCode, 200)
  t.match(await read(alice, id), { ...full, name: 'Apex', aliases, leadTimeDays: 0 })
})

t.test('another name leaves the old one as an alias, unless another supplier has it', async (t) => {
  const { alice } = await startApp(t)
  const id = await makeSupplier(alice, { name: 'Acme' })
  const rename = async (name: string) => {
    t.equal((await alice.put(`/api/suppliers/${id}`, { name, aliases: [] })).statusCode, 200)
    return (await read(alice, id)).aliases
  }
  t.strictSame(await rename(' ACME '), [], 'the same name in other letters')
  t.strictSame(await rename('Apex'), ['ACME'])
  await makeSupplier(alice, { name: 'apex' })
  t.strictSame(await rename('Acme Ltd'), [])
})

t.test('null and an empty text clear any field except the name', async (t) => {
  const { alice } = await startApp(t)
  const id = await makeSupplier(alice, full)
  const nulls = {
    ...Object.fromEntries(Object.keys(empty).map((name) => [name, null])),
    address: '',
    paymentTerms: ' ',
    aliases: [],
  }
  t.equal((await alice.put(`/api/suppliers/${id}`, nulls)).statusCode, 200)
  const { name, ...cleared } = await read(alice, id)
  t.equal(name, 'Acme')
  for (const [field, value] of Object.entries(empty)) t.strictSame(cleared[field], value, field)
  expectFailure(t, await alice.put(`/api/suppliers/${id}`, { name: null }), 400, 'invalid_request')
  expectFailure(t, await alice.put(`/api/suppliers/${id}`, { name: '' }), 400, 'invalid_request')
})

t.test('a supplier without orders can be deleted', async (t) => {
  const { alice } = await startApp(t)
  const id = await makeSupplier(alice)
  const answer = await alice.delete(`/api/suppliers/${id}`)
  t.equal(answer.statusCode, 200)
  t.strictSame(answer.json(), { success: true, data: { message: 'Supplier deleted.' } })
  expectFailure(t, await alice.get(`/api/suppliers/${id}`), 404, 'not_found')
  expectFailure(t, await alice.put(`/api/suppliers/${id}`, { name: 'Apex' }), 404, 'not_found')
  expectFailure(t, await alice.delete(`/api/suppliers/${id}`), 404, 'not_found')
})

t.test('deleting a supplier with orders archives it, and its orders keep its name', async (t) => {
  const { alice, mallory } = await startApp(t)
  const supplierId = await makeSupplier(alice, { name: 'Old Friend' })
  const order = await makeOrder(alice, { supplierId })
  const answer = await alice.delete(`/api/suppliers/${supplierId}`)
  t.match(answer.json(), { success: true, data: { message: /archived/ } })

  t.strictSame(await names(alice), [])
  t.match(await read(alice, supplierId), { name: 'Old Friend', archivedAt: timestamp })
  expectFailure(t, await mallory.get(`/api/suppliers/${supplierId}`), 404, 'not_found')
  expectFailure(t, await alice.put(`/api/suppliers/${supplierId}`, { name: 'X' }), 404, 'not_found')
  expectFailure(t, await alice.delete(`/api/suppliers/${supplierId}`), 404, 'not_found')
  t.match(await readOrder(alice, order.id), { supplierId, supplierName: 'Old Friend' })
  t.match((await alice.get('/api/purchase-orders')).json().data, [{ supplierId, supplierName: 'Old Friend' }])

  const again = await alice.post('/api/purchase-orders', { supplierId, lineItems: [line(1)] })
  expectFailure(t, again, 422, 'unknown_supplier')
  const other = await makeOrder(alice)
  const moved = await alice.put(`/api/purchase-orders/${other.id}`, { supplierId })
  expectFailure(t, moved, 422, 'unknown_supplier')
})

t.test('concurrent deletion and ordering keep the supplier of every order', async (t) => {
  const { alice } = await startApp(t)
  for (let round = 0; round < 20; round++) {
    const supplierId = await makeSupplier(alice)
    const order = { supplierId, lineItems: [line(1)] }
    const creations = [alice.post('/api/purchase-orders', order), alice.post('/api/purchase-orders', order)]
    const [deletion, ...created] = await Promise.all([
      alice.delete(`/api/suppliers/${supplierId}`),
      ...creations,
    ])
    t.equal(deletion.statusCode, 200)
    const ordered = created.filter(({ statusCode }) => statusCode === 201)
    for (const refused of created.filter((answer) => !ordered.includes(answer))) {
      expectFailure(t, refused, 422, 'unknown_supplier')
    }
    const outcome = ordered.length > 0 ? /archived/ : /deleted/
    t.match(deletion.json().data.message, outcome)
    for (const answer of ordered) t.match(await readOrder(alice, answer.json().data.id), { supplierId })
  }
})

t.test('a version protects the changes of another request', async (t) => {
  const { alice } = await startApp(t)
  const id = await makeSupplier(alice, full)
  const change = (body: object) => alice.put(`/api/suppliers/${id}`, body)
  t.match(
    (await change({ ...full, version: 1 })).json().data,
    { version: 1 },
    'repeated values are no change',
  )
  t.match((await change({ taxId: 'DE 1', version: 1 })).json().data, { version: 2 })
  expectFailure(t, await change({ taxId: 'DE 2', version: 1 }), 409, 'stale_version')
  expectFailure(t, await change({ taxId: 'DE 2', version: 2 ** 31 }), 400, 'invalid_request')
  t.match((await change({ aliases: ['Other'] })).json().data, { version: 3 })
  t.match(await read(alice, id), { taxId: 'DE 1', aliases: ['Other'], version: 3 })
})

t.test('two suppliers of a shop cannot have the same alias', async (t) => {
  const { alice, mallory } = await startApp(t)
  await makeSupplier(alice, { aliases: ['Acme  Ltd'] })
  const other = await makeSupplier(alice, { name: 'Other', aliases: ['Mine', 'mine'] })
  t.match(await read(alice, other), { aliases: ['Mine'] })
  const refused = await alice.put(`/api/suppliers/${other}`, { aliases: ['Mine', 'ACME LTD'] })
  t.strictSame(expectFailure(t, refused, 422, 'alias_taken').details, [
    { path: '/aliases/1', message: 'is a name of another supplier' },
  ])
  expectFailure(
    t,
    await alice.post('/api/suppliers', { name: 'Third', aliases: ['mine'] }),
    422,
    'alias_taken',
  )
  await makeSupplier(mallory, { aliases: ['Acme Ltd'] })
})

t.test('the fields of a supplier have limits', async (t) => {
  const { alice } = await startApp(t)
  for (const [field, value] of Object.entries({
    currency: 'euro',
    countryCode: 'DEU',
    minimumOrderValue: 1.005,
    minimumOrderQuantity: 0,
    orderCycleDays: 366,
    defaultTaxRate: 100.5,
    language: 'tlh',
  })) {
    const { details } = expectFailure(
      t,
      await alice.post('/api/suppliers', { name: 'Acme', [field]: value }),
      400,
      'invalid_request',
    )
    t.match(details, [{ path: `/${field}`, message: /^must be / }], field)
  }
})
