import { Kind, type TSchema } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { type Endpoint as Contract, endpoints as contract } from '../../../shared/schemas/endpoints.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import {
  addressOf,
  type Endpoint,
  listEndpoints,
  makeRecordOf,
  readAddressOf,
} from '../../support/core/endpoints.ts'
import type { Person } from '../../support/core/people.ts'
import { line, makeOrder, makeOrderIn, makeSupplier } from '../../support/make/orders.ts'
import { makeRule } from '../../support/make/reorder.ts'
import { item, makeStock, makeTransfer, markVariant, variantGid } from '../../support/make/stock.ts'

type Json = Record<string, unknown>

/** Updates of many records, which no read answers. */
const notOfARecord = [
  'PUT /api/stock-levels/bulk',
  'PUT /api/bins',
  // sets subject and text together; mail-templates.test.ts sends back what the list answered
  'PUT /api/mail-templates/{kind}',
  // a part of a file is not read back
  'PUT /api/imports/{id}/parts/{n}',
  // read as a part of its order
  'PUT /api/purchase-orders/{id}/charges/{chargeId}',
]

async function start(t: Test) {
  const people = await startApp(t)
  for (const person of [people.alice, people.mallory]) {
    await makeStock(people.db, person, { variants: 2, locations: 2 })
  }
  const endpoints = await listEndpoints(people.app)
  const updates = endpoints.filter(({ method, name }) => method === 'PUT' && !notOfARecord.includes(name))
  t.ok(updates.length >= 7, 'the API has updates to try')
  return { ...people, endpoints, updates }
}

/** What a read answers: the record, or the entry of the endpoint's last id in a list or in its parent's record. */
async function read(
  person: Person,
  endpoint: Endpoint,
  ids: readonly number[],
  endpoints: readonly Endpoint[],
) {
  const { data } = (await person.get(readAddressOf(endpoint, ids, endpoints) ?? '')).json()
  const inPath = endpoint.pathParameters.length
  const list: Json[] | undefined = Array.isArray(data) ? data : data.contacts
  if (inPath === 0 || !list || (inPath === 1 && data.id === ids[0])) return data as Json
  return list.find(({ id }) => id === ids[inPath - 1]) ?? {}
}

const contractOf = ({ method, path }: Endpoint): Contract => {
  const key = `${method} ${path.replace('/api', '').replaceAll(/\{(\w+)\}/g, ':$1')}`
  return (contract as Record<string, Contract>)[key] as Contract
}

/** The paths of the objects in a value that the schema describes, as in ['lineItems', 0]. */
function* objectsIn(
  schema: TSchema,
  value: unknown,
  path: (string | number)[] = [],
): Generator<(string | number)[]> {
  if (schema[Kind] === 'Union') {
    const type = Array.isArray(value) ? 'array' : 'object'
    const member = schema.anyOf.find((each: TSchema) => each.type === type)
    if (member && typeof value === 'object' && value !== null) yield* objectsIn(member, value, path)
  } else if (Array.isArray(value)) {
    if (value.length > 0) yield* objectsIn(schema.items, value[0], [...path, 0])
  } else if (typeof value === 'object' && value !== null) {
    yield path
    for (const [name, field] of Object.entries<TSchema>(schema.properties ?? {})) {
      yield* objectsIn(field, (value as Json)[name], [...path, name])
    }
  }
}

/** A copy of the value with a field in the object at the path. */
function withUnknown(value: unknown, [key, ...rest]: (string | number)[]): unknown {
  if (key === undefined) return { ...(value as Json), surprise: 1 }
  if (Array.isArray(value)) return value.map((each, at) => (at === key ? withUnknown(each, rest) : each))
  return { ...(value as Json), [key]: withUnknown((value as Json)[key], rest) }
}

t.test('every update accepts what a read answered, and changes nothing', async (t) => {
  const { db, alice, updates, endpoints } = await start(t)
  for (const endpoint of updates) {
    const ids = await makeRecordOf(endpoint, alice, db)
    const before = await read(alice, endpoint, ids, endpoints)
    t.ok(Object.keys(before).length > 3, `${endpoint.name} has a record`)
    const answer = await alice.put(addressOf(endpoint, ids), before)
    t.equal(answer.statusCode, 200, `${endpoint.name}: ${answer.body}`)
    t.strictSame(await read(alice, endpoint, ids, endpoints), before, `${endpoint.name} changes nothing`)
  }
})

t.test('every update ignores read-only fields beside a change', async (t) => {
  const { db, alice, updates, endpoints } = await start(t)
  for (const endpoint of updates) {
    const ids = await makeRecordOf(endpoint, alice, db)
    const before = await read(alice, endpoint, ids, endpoints)
    const writable = Object.keys(contractOf(endpoint).body?.properties ?? {})
    const readOnly = Object.keys(before).filter((name) => !writable.includes(name))
    t.ok(readOnly.length > 0, `${endpoint.name} has read-only fields`)
    const body = Object.fromEntries(readOnly.map((name) => [name, { any: 'value' }]))
    const answer = await alice.put(addressOf(endpoint, ids), body)
    t.equal(answer.statusCode, 200, `${endpoint.name}: ${answer.body}`)
    t.strictSame(await read(alice, endpoint, ids, endpoints), before, `${endpoint.name} changes nothing`)
  }
})

t.test('every other unknown field is refused in every object of a body', async (t) => {
  const { db, alice, updates, endpoints } = await start(t)
  let nested = 0
  for (const endpoint of updates) {
    const ids = await makeRecordOf(endpoint, alice, db)
    const before = await read(alice, endpoint, ids, endpoints)
    const { body } = contractOf(endpoint)
    if (!body) throw new Error(`${endpoint.name} has no body`)
    for (const path of objectsIn(body, before)) {
      nested += path.length > 0 ? 1 : 0
      const answer = await alice.put(addressOf(endpoint, ids), withUnknown(before, path) as object)
      const pointer = [...path, 'surprise'].map((part) => `/${part}`).join('')
      const { details } = expectFailure(t, answer, 400, 'invalid_request', `${endpoint.name} ${pointer}`)
      t.strictSame(
        details,
        [{ path: pointer, message: 'is not a known field' }],
        `${endpoint.name} ${pointer}`,
      )
    }
  }
  t.ok(nested >= 2, 'lines and items are tried, too')
})

t.test('creating a record, and setting many levels, still refuse read-only fields', async (t) => {
  const { alice } = await start(t)
  const supplier = { name: 'Acme', createdAt: '2026-03-01T12:00:00Z' }
  expectFailure(t, await alice.post('/api/suppliers', supplier), 400, 'invalid_request')
  const bulk = { adjustments: [], message: 'words' }
  expectFailure(t, await alice.put('/api/stock-levels/bulk', bulk), 400, 'invalid_request')
})

t.test('an order in any state accepts what a read answered', async (t) => {
  const { alice } = await start(t)
  for (const status of ['draft', 'sent', 'partial', 'received', 'cancelled'] as const) {
    const fields = { expectedAt: '2026-03-01T12:00:00Z', tax: 1.5, notes: 'a', destinationLocationId: null }
    const { id } = await makeOrderIn(alice, status, {
      ...fields,
      lineItems: [line(1, { quantity: 2 }), line(2)],
    })
    const before = (await alice.get(`/api/purchase-orders/${id}`)).json().data
    const answer = await alice.put(`/api/purchase-orders/${id}`, before)
    t.equal(answer.statusCode, 200, `${status}: ${answer.body}`)
    t.strictSame(answer.json().data, before, status)
    const changed = await alice.put(`/api/purchase-orders/${id}`, { ...before, tax: 2 })
    t.equal(changed.statusCode, status === 'draft' ? 200 : 409, `${status} with another tax`)
  }
  const { id } = await makeOrder(alice, { lineItems: [line(1), line(2)] })
  const { lineItems, ...order } = (await alice.get(`/api/purchase-orders/${id}`)).json().data
  const reversed = await alice.put(`/api/purchase-orders/${id}`, {
    ...order,
    lineItems: lineItems.toReversed(),
  })
  t.match(reversed.json().data, { version: 2, lineItems: [{ sku: 'SKU-2' }, { sku: 'SKU-1' }] })
})

t.test('transfers and counts in any state accept what a read answered', async (t) => {
  const { alice } = await start(t)
  const transfers = ['in_transit', 'completed', 'cancelled']
  for (const status of transfers) {
    const id = await makeTransfer(alice, { items: [item(1, 2)] })
    await alice.put(`/api/stock-transfers/${id}`, { status })
    const before = (await alice.get(`/api/stock-transfers/${id}`)).json().data
    const answer = await alice.put(`/api/stock-transfers/${id}`, before)
    t.equal(answer.statusCode, 200, `${status}: ${answer.body}`)
    t.strictSame((await alice.get(`/api/stock-transfers/${id}`)).json().data, before, status)
  }
  for (const status of ['draft', 'submitted', 'cancelled']) {
    const { locationId } = (await alice.get('/api/stock-levels')).json().data[0]
    const items = [
      { variantId: variantGid(1), countedQuantity: 7 },
      { variantId: variantGid(2), countedQuantity: null },
    ]
    const { id } = (await alice.post('/api/stock-counts', { locationId, items })).json().data
    await alice.put(`/api/stock-counts/${id}`, { status })
    const before = (await alice.get(`/api/stock-counts/${id}`)).json().data
    const answer = await alice.put(`/api/stock-counts/${id}`, before)
    t.equal(answer.statusCode, 200, `${status}: ${answer.body}`)
    t.strictSame((await alice.get(`/api/stock-counts/${id}`)).json().data, before, status)
  }
})

t.test('an automatic rule, and a rule of a deleted variant, accept what a read answered', async (t) => {
  const { db, alice } = await start(t)
  const supplierId = await makeSupplier(alice)
  const id = await makeRule(alice, { mode: 'auto', supplierId })
  const rule = async () => (await alice.get('/api/reorder/rules')).json().data[0]
  const before = await rule()
  t.match(before, { mode: 'auto', computedAt: /Z$/ })
  t.equal((await alice.put(`/api/reorder/rules/${id}`, before)).statusCode, 200)
  t.strictSame(await rule(), before, 'nothing is computed again')
  await markVariant(db, alice, 1, 'deleted')
  const answer = await alice.put(`/api/reorder/rules/${id}`, before)
  t.equal(answer.statusCode, 200, answer.body)
  t.match((await alice.put(`/api/reorder/rules/${id}`, { reorderPoint: 3 })).json().data, { mode: 'manual' })
})

t.test('the OpenAPI document names the read-only fields of an update', async (t) => {
  const { app } = await start(t)
  const { paths } = (await app.inject('/openapi.json')).json()
  const { schema } = paths['/api/suppliers/{id}'].put.requestBody.content['application/json']
  t.match(schema.description, /accepted and ignored: id, contacts, createdAt, updatedAt, archivedAt$/)
  // a field of an answer may have this name: its schema is an object
  t.notOk(JSON.stringify(paths).includes('"ignored":['), 'without a keyword of our own')
})
