import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { FastifyInstance } from 'fastify'
import { type Db, sql } from '../../../shared/db/db.ts'
import { upsertProducts } from '../../../shared/domain/exchange/sync/upsert-products.ts'
import { makeAlert } from '../make/alerts.ts'
import { attachment, makeAttachment, png } from '../make/attachments.ts'
import { gidOf, product, variant } from '../make/catalogue.ts'
import { makeImport } from '../make/imports.ts'
import {
  line,
  makeMailedOrder,
  makeOrder,
  makeOrderIn,
  makeSentOrder,
  makeSupplier,
  readOrder,
  receiptsOf,
} from '../make/orders.ts'
import { makeDirectReceipt, makeDraft } from '../make/receipts.ts'
import { deleteRules, makeRule, rule } from '../make/reorder.ts'
import { setDemandDays, setForecast, setRolledUp } from '../make/replenishment.ts'
import { counted, makeCount, makeShippedTransfer, makeTransfer, readLevels } from '../make/stock.ts'
import { makeArchivedSupplier, makeSupplierProduct } from '../make/supplier-products.ts'
import { makeReturn, makeShippedReturn, returnOf } from '../make/supplier-returns.ts'
import { makeFailedPush } from '../platform/stock-pushes.ts'
import { makeDelivery } from '../platform/webhooks.ts'
import type { Person } from './people.ts'

/** The part of JSON Schema that the API's requests use. */
export const JsonSchema = Type.Recursive((Self) =>
  Type.Object({
    type: Type.Optional(Type.String()),
    enum: Type.Optional(Type.Array(Type.Unknown())),
    const: Type.Optional(Type.Unknown()),
    anyOf: Type.Optional(Type.Array(Self)),
    properties: Type.Optional(Type.Record(Type.String(), Self)),
    required: Type.Optional(Type.Array(Type.String())),
    items: Type.Optional(Self),
    minimum: Type.Optional(Type.Number()),
    minLength: Type.Optional(Type.Integer()),
    format: Type.Optional(Type.String()),
    pattern: Type.Optional(Type.String()),
  }),
)
export type JsonSchema = Static<typeof JsonSchema>

const Operation = Type.Object({
  parameters: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String(),
        in: Type.String(),
        required: Type.Optional(Type.Boolean()),
        schema: JsonSchema,
      }),
    ),
  ),
  requestBody: Type.Optional(
    Type.Object({ content: Type.Object({ 'application/json': Type.Object({ schema: JsonSchema }) }) }),
  ),
})
const Document = Type.Object({ paths: Type.Record(Type.String(), Type.Record(Type.String(), Operation)) })

export type Endpoint = {
  /** As in `PUT /api/suppliers/{id}`. */
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  /** The names of the ids in the path. */
  pathParameters: string[]
  /** The other parameters of the path, which name no record, each with a valid value. */
  choices: { name: string; value: string }[]
  queryParameters: { name: string; required?: boolean; schema: JsonSchema }[]
  body: JsonSchema | undefined
}

/** All endpoints in `/openapi.json`, so that tests of every endpoint include new ones. */
export async function listEndpoints(app: FastifyInstance): Promise<Endpoint[]> {
  const { paths } = Value.Decode(Document, (await app.inject('/openapi.json')).json())
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { parameters = [], requestBody }]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase() as Endpoint['method'],
      path,
      pathParameters: parameters
        .filter((parameter) => parameter.in === 'path' && !parameter.schema.anyOf)
        .map(({ name }) => name),
      choices: parameters
        .filter((parameter) => parameter.in === 'path' && parameter.schema.anyOf)
        .map(({ name, schema }) => ({ name, value: String(sample(schema)) })),
      queryParameters: parameters.filter((parameter) => parameter.in === 'query'),
      body: requestBody?.content['application/json'].schema,
    })),
  )
}

/**
 * The URL of an endpoint with `ids` in the order of its parameters, 1 for each missing id, with a value for each query parameter
 * that it requires and `query` does not have.
 */
export function addressOf(
  { path, choices, queryParameters }: Endpoint,
  ids: readonly (string | number)[] = [],
  query = '',
): string {
  const rest = [...ids]
  const chosen = choices.reduce((done, { name, value }) => done.replace(`{${name}}`, value), path)
  const required = queryParameters
    .filter(({ name, required: isRequired }) => isRequired && !new URLSearchParams(query).has(name))
    .map(({ name, schema }) => `${name}=${requiredValues[name] ?? sample(schema)}`)
  const search = [...required, ...(query === '' ? [] : [query])].join('&')
  return chosen.replace(/\{\w+\}/g, () => String(rest.shift() ?? 1)) + (search && `?${search}`)
}

/** Of parameters that must name something of the record of `makers`. */
const requiredValues: Record<string, string> = { code: 'SKU-1' }

/** The path that reads what an endpoint writes: the longest GET path that is a prefix of the endpoint's path. */
export function readAddressOf(
  endpoint: Endpoint,
  ids: readonly number[],
  endpoints: readonly Endpoint[],
): string | undefined {
  const isWithin = ({ method, path }: Endpoint) =>
    method === 'GET' && `${endpoint.path}/`.startsWith(`${path}/`)
  const [longest] = endpoints.filter(isWithin).sort((a, b) => b.path.length - a.path.length)
  return longest && addressOf(longest, ids)
}

/**
 * Creates the records in the path of an endpoint, by path prefix, in a state in which the request succeeds. A new
 * resource needs a line here. The person's shop has two variants at two locations (`makeStock`).
 */
const makers: Record<string, (person: Person, db: Db) => Promise<number[]>> = {
  '/api/suppliers': async (person) => {
    const supplierId = await makeSupplier(person)
    const contact = await person.post(`/api/suppliers/${supplierId}/contacts`, { name: 'Bob' })
    return [supplierId, contact.json().data.id]
  },
  '/api/suppliers/{id}/restore': async (person) => [await makeArchivedSupplier(person)],
  '/api/suppliers/{id}/products': async (person) => {
    const { supplierId, id } = await makeSupplierProduct(person)
    return [supplierId, id]
  },
  '/api/purchase-orders': async (person) => [(await makeOrder(person)).id],
  '/api/purchase-orders/{id}/mails': async (person, db) => {
    const { id, mailId } = await makeMailedOrder(db, person)
    return [id, mailId]
  },
  '/api/purchase-orders/{id}/close': async (person) => [(await makeSentOrder(person)).id],
  '/api/purchase-orders/{id}/receive': async (person) => [(await makeSentOrder(person)).id],
  '/api/purchase-orders/{id}/revise': async (person, db) => [(await makeMailedOrder(db, person)).id],
  '/api/purchase-orders/{id}/top-up': async (person) => {
    const supplierId = await makeSupplier(person, { minimumOrderValue: 1000 })
    return [(await makeOrder(person, { supplierId })).id]
  },
  '/api/purchase-orders/{id}/charges': async (person) => {
    const { id } = await makeOrder(person)
    const charge = { kind: 'freight', amount: 2, basis: 'value' }
    const created = await person.post(`/api/purchase-orders/${id}/charges`, charge)
    return [id, created.json().data.id]
  },
  '/api/purchase-orders/{id}/receipts': async (person) => [(await makeOrderIn(person, 'partial')).id],
  '/api/purchase-orders/{id}/receipts/{receiptId}': async (person) => {
    const { id } = await makeOrderIn(person, 'partial')
    return [id, (await makeDraft(person, id)).id]
  },
  '/api/purchase-orders/{id}/receipts/{receiptId}/reverse': async (person) => {
    const { id } = await makeOrderIn(person, 'partial')
    return [id, ...(await receiptsOf(person, id)).map((receipt) => receipt.id)]
  },
  '/api/purchase-orders/{id}/codes': async (person) => [(await makeSentOrder(person)).id],
  '/api/purchase-orders/{id}/scan': async (person) => [(await makeSentOrder(person)).id],
  '/api/receipts': async (person) => [(await makeDirectReceipt(person)).id],
  '/api/purchase-orders/{id}/suggest': async (person, db) => {
    const supplierId = await makeSupplier(person)
    await deleteRules(person)
    await makeRule(person, { supplierId })
    await makeSupplierProduct(person, { supplierId })
    await setForecast(db, person, 1, { units: new Array(26).fill(1_000_000) })
    await setRolledUp(db, person)
    await setDemandDays(db, person, 1, [{ daysAgo: 1, units: 1_000_000 }])
    return [(await makeOrder(person, { supplierId })).id]
  },
  '/api/supplier-returns': async (person) => [await makeReturn(person)],
  '/api/supplier-returns/{id}/credit': async (person) => [await makeShippedReturn(person)],
  '/api/supplier-returns/{id}/undo': async (person) => [await makeShippedReturn(person)],
  '/api/attachments': async (person) => [await makeAttachment(person)],
  '/api/stock-pushes': async (person, db) => [await makeFailedPush(db, person)],
  '/api/stock-transfers': async (person) => [await makeTransfer(person)],
  '/api/stock-transfers/{id}/receive': async (person) => [(await makeShippedTransfer(person)).id],
  '/api/stock-transfers/{id}/close': async (person) => [(await makeShippedTransfer(person)).id],
  '/api/stock-transfers/{id}/events': async (person) => {
    const { id, eventId } = await makeShippedTransfer(person)
    return [id, eventId]
  },
  '/api/stock-counts': async (person) => [await makeCount(person)],
  '/api/stock-counts/{id}/recount': async (person, db) => [await makeReviewedCount(person, db)],
  // a person who counted cannot approve
  '/api/stock-counts/{id}/approve': async (person) => {
    const id = await makeCount(person)
    await person.post(`/api/stock-counts/${id}/finish`)
    return [id]
  },
  '/api/count-plans': async (person) => [
    (await person.post('/api/count-plans', { locationId: gidOf('Location', 1), everyDays: 7 })).json().data
      .id,
  ],
  '/api/demand-events': async (person) => [
    (await person.post('/api/demand-events', demandEvent)).json().data.id,
  ],
  '/api/buying-budgets': async (person) => [
    (await person.post('/api/buying-budgets', buyingBudget)).json().data.id,
  ],
  '/api/list-views': async (person) => [await makeView(person)],
  '/api/stock-imports': async (person) => [await makeStockImport(person)],
  '/api/reorder/rules': async (person) => {
    await deleteRules(person)
    return [await makeRule(person)]
  },
  // a shop has one running export
  '/api/exports': async (person) => [(await person.post('/api/exports')).json().data.id],
  '/api/imports': async (person, db) => [await makeImport(person, db, 'ready')],
  '/api/imports/{id}/parts': async (person, db) => [await makeImport(person, db, 'uploading'), 0],
  '/api/imports/{id}/read': async (person, db) => [await makeImport(person, db, 'uploading')],
  '/api/imports/{id}/revert': async (person, db) => [await makeImport(person, db, 'done')],
  '/api/alerts': async (person, db) => [await makeAlert(db, person)],
  '/api/variants': async (person, db) => [await makeVariant(person, db)],
  '/api/variants/{id}/cost-push': async (person, db) => [await makeFailedCostPush(person, db)],
  '/api/sync/deliveries': async (person, db) => [await makeDelivery(db, person.shopId, { state: 'failed' })],
}

let views = 0

/** A list has each name once. */
const listView = (fields: object = {}) => {
  views += 1
  return { list: 'purchase-orders', name: `View ${views}`, query: 'status=draft', columns: null, ...fields }
}

async function makeView(person: Person): Promise<number> {
  const response = await person.post('/api/list-views', listView())
  if (response.statusCode !== 201) throw new Error(response.body)
  return response.json().data.id
}

/** An import that changes the level of `stockFile`. */
async function makeStockImport(person: Person): Promise<number> {
  const body = { csv: stockFile, basis: 'adjust', dryRun: false }
  const response = await person.post('/api/stock-imports', body)
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json().data.id
}

/** A count in review with a variance. */
async function makeReviewedCount(person: Person, db: Db): Promise<number> {
  const id = await makeCount(person, { items: [counted(1, 1_000_000)] })
  await readLevels(db, person)
  await person.post(`/api/stock-counts/${id}/finish`)
  return id
}

/** A variant whose number no other shop of the test has. */
async function makeVariant({ shopId }: Person, db: Db): Promise<number> {
  const number = 1_000_000 + shopId
  await db.transaction((tx) => upsertProducts(tx, shopId, [product(number, [variant(number)])]))
  return number
}

/** A variant with a cost that the platform has refused. */
async function makeFailedCostPush(person: Person, db: Db): Promise<number> {
  const number = await makeVariant(person, db)
  await db.query(sql.typeAlias('void')`
    insert into cost_push (shop_id, variant_id, cost, requested_at, failed_at)
    select shop_id, id, 5, now(), now() from variant where shop_id = ${person.shopId} and gid = ${gidOf('ProductVariant', number)}
    on conflict (shop_id, variant_id) do update set failed_at = now()
  `)
  return number
}

/** Creates a record of this person for the endpoint's path; returns its ids in the order of the parameters. */
export async function makeRecordOf(endpoint: Endpoint, person: Person, db: Db): Promise<number[]> {
  const { path, pathParameters } = endpoint
  if (pathParameters.length === 0) return []
  const prefixes = Object.keys(makers).filter((prefix) => path === prefix || path.startsWith(`${prefix}/`))
  const make = makers[prefixes.sort((a, b) => b.length - a.length)[0] ?? '']
  if (!make) throw new Error(`test/support/core/endpoints.ts has no maker for the records of ${path}`)
  return make(person, db)
}

/** Valid bodies of endpoints for which `sample` would name a missing record or an outdated version. */
const bodies: Record<string, (person: Person, ids: number[], db: Db) => Promise<object>> = {
  'POST /api/digest/test': async (person, _ids, db) => {
    await person.put('/api/digest', { recipients: ['buyer@kestrel.example.com'] })
    // a second test waits until the mails of the first are sent
    await db.query(sql.typeAlias('void')`delete from digest where shop_id = ${person.shopId}`)
    return {}
  },
  'PUT /api/digest': async () => ({ enabled: true, recipients: ['buyer@kestrel.example.com'] }),
  // an alias belongs to one supplier
  'POST /api/suppliers': async () => ({ name: 'Acme' }),
  'PUT /api/suppliers/{id}': async () => ({ name: 'Acme', phone: '1' }),
  'POST /api/suppliers/archive': async (person) => ({ ids: [await makeSupplier(person)] }),
  'POST /api/suppliers/restore': async (person) => ({ ids: [await makeArchivedSupplier(person)] }),
  'POST /api/suppliers/from-vendors': async () => ({ dryRun: false }),
  'POST /api/suppliers/{id}/merge': async (person) => ({ intoId: await makeSupplier(person) }),
  'POST /api/suppliers/{id}/products': async () => ({
    variantId: gidOf('ProductVariant', 2),
    supplierSku: 'N-2',
    prices: [{ price: 1.5 }],
  }),
  'POST /api/suppliers/{id}/products/bulk': async () => ({
    products: [{ variantId: gidOf('ProductVariant', 2), price: 1.5 }],
  }),
  'POST /api/supplier-prices/import': async (person) => ({
    csv: priceFile,
    dryRun: false,
    supplierId: await makeSupplier(person),
  }),
  'POST /api/purchase-orders': async (person) => ({
    supplierId: await makeSupplier(person),
    lineItems: [line(1)],
  }),
  'PUT /api/purchase-orders/{id}': async () => ({ notes: 'Leave it at the back door' }),
  'POST /api/purchase-orders/{id}/receive': async (person, ids) => ({
    lineItems: [{ lineItemId: (await firstLine(person, ids)).id, quantityReceived: 1 }],
  }),
  'POST /api/purchase-orders/{id}/receipts': async (person, ids) => ({
    lines: [{ lineItemId: (await firstLine(person, ids)).id, accepted: 1 }],
  }),
  'PUT /api/purchase-orders/{id}/receipts/{receiptId}': async (person, ids) => ({
    lines: [{ lineItemId: (await firstLine(person, ids)).id, accepted: 2 }],
  }),
  'POST /api/purchase-orders/{id}/receipts/{receiptId}/post': async () => ({}),
  'POST /api/receipts': async () => ({ lines: [{ variantId: gidOf('ProductVariant', 1), quantity: 2 }] }),
  'POST /api/purchase-orders/{id}/revise': async (person, [id = 0]) => ({
    version: (await readOrder(person, id)).version,
    lineItems: [{ id: (await firstLine(person, [id])).id, quantity: 5 }],
  }),
  'POST /api/purchase-orders/{id}/top-up': async () => ({}),
  'POST /api/stock-counts/{id}/approve': async () => ({}),
  'PUT /api/mail-templates/{kind}': async () => ({ subject: 'Order {{poNumber}}', body: 'See attachment' }),
  'POST /api/purchase-orders/{id}/charges': async () => ({ kind: 'freight', amount: 3, basis: 'value' }),
  'PUT /api/purchase-orders/{id}/charges/{chargeId}': async () => ({ amount: 3 }),
  'POST /api/supplier-returns': async (person) => returnOf(await makeSupplier(person)),
  'PUT /api/supplier-returns/{id}': async () => ({ notes: 'In two boxes' }),
  'POST /api/supplier-returns/{id}/credit': async () => ({ creditAmount: 5, creditReference: 'CN-1' }),
  'POST /api/attachments': async (person) =>
    attachment({ subject: 'purchase_order', subjectId: (await makeOrder(person)).id }),
  'POST /api/settings/logo': async () => ({ content: png.toString('base64') }),
  'POST /api/stock-transfers': async () => ({
    sourceLocationId: levelKey.locationId,
    destinationLocationId: gidOf('Location', 2),
    items: [{ variantId: levelKey.variantId, quantity: 1 }],
  }),
  'POST /api/imports': async () => ({ fileName: 'costs.csv' }),
  'PUT /api/imports/{id}': async () => ({ defaults: { currency: 'EUR' } }),
  'PUT /api/imports/{id}/parts/{n}': async () => ({ base64: 'QUJD' }),
  'POST /api/imports/{id}/run': async () => ({ dryRun: true }),
  'POST /api/stock-transfers/cancel': async (person) => ({ ids: [await makeTransfer(person)] }),
  'POST /api/stock-counts/cancel': async (person) => ({ ids: [await makeCount(person)] }),
  'POST /api/stock-transfers/suggestions': async () => ({
    items: [
      {
        variantId: levelKey.variantId,
        sourceLocationId: levelKey.locationId,
        destinationLocationId: gidOf('Location', 2),
        quantity: 1,
      },
    ],
  }),
  'POST /api/stock-transfers/{id}/ship': async () => ({}),
  'POST /api/stock-transfers/{id}/receive': async () => ({
    items: [{ variantId: levelKey.variantId, received: 1 }],
  }),
  'POST /api/stock-transfers/{id}/close': async () => ({}),
  'POST /api/stock-transfers/{id}/events/{eventId}/reverse': async () => ({}),
  'PUT /api/stock-levels/bulk': async () => ({ adjustments: [{ ...levelKey, quantity: 5 }] }),
  'PUT /api/reorder/rules/{id}': async () => ({ reorderPoint: 5 }),
  'POST /api/reorder/rules/bulk': async () => ({ rules: [rule()] }),
  'POST /api/reorder/rules/delete': async (person) => {
    await deleteRules(person)
    return { ids: [await makeRule(person)] }
  },
  'POST /api/reorder/rules/import': async () => ({ csv: ruleFile, dryRun: false }),
  'POST /api/reorder/rules': async (person) => {
    await deleteRules(person)
    return rule()
  },
  'POST /api/reorder/purchase-orders': async (person) => {
    await deleteRules(person)
    await makeRule(person, { variantId: gidOf('ProductVariant', 2), supplierId: await makeSupplier(person) })
    return {}
  },
  'POST /api/purchase-orders/{id}/suggest': async () => ({ days: 30, basis: 'forecast', mode: 'replace' }),
  'POST /api/replenishment/orders': async (person) => ({
    items: [{ variantId: levelKey.variantId, supplierId: await makeSupplier(person), quantity: 2 }],
  }),
  'POST /api/stock-levels/adjust': async () => ({ adjustments: [{ ...levelKey, delta: 5 }] }),
  'POST /api/purchase-orders/bulk': async (person) => ({
    action: 'cancel',
    ids: [(await makeOrder(person)).id],
  }),
  'POST /api/stock-imports': async () => ({ csv: stockFile, basis: 'adjust', dryRun: false }),
  'POST /api/stock-imports/{id}/revert': async () => ({}),
  'POST /api/list-views': async () => listView(),
  'PUT /api/list-views/{id}': async () => ({ query: 'sort=number' }),
  'POST /api/buying-budgets': async () => buyingBudget,
  'PUT /api/buying-budgets/{id}': async () => ({ amount: 900 }),
  'POST /api/demand-events': async () => demandEvent,
  'PUT /api/demand-events/{id}': async () => ({ factor: 3 }),
  'PUT /api/variants/{id}/forecast': async () => ({ unitsPerWeek: 12 }),
  'PUT /api/bins': async () => ({ bins: [{ ...levelKey, bin: 'A1' }] }),
  'POST /api/bins/import': async () => ({ csv: binFile, dryRun: false }),
  'POST /api/stock-counts/{id}/add-products': async () => ({}),
  'POST /api/sync/deliveries/replay-failed': async (person, _ids, db) => {
    await makeDelivery(db, person.shopId, { state: 'failed' })
    return {}
  },
  'POST /api/alerts/read-all': async (person, _ids, db) => {
    await makeAlert(db, person)
    return {}
  },
}

export const buyingBudget = { name: 'March', month: '2026-03', amount: 8000 }

export const demandEvent = {
  name: 'Fair',
  kind: 'event',
  scope: 'shop',
  startsOn: '2026-03-01',
  endsOn: '2026-03-07',
  factor: 2,
}

const ruleFile = 'sku,reorderPoint,reorderQuantity\nSKU-1,1,1'

// another bin than that of `PUT /api/bins`
const binFile = 'sku,location,bin\nSKU-1,Place 1,A2'
const stockFile = 'variantId,location,quantity\ngid://platform/ProductVariant/1,Place 1,5'

const priceFile = 'sku,price\nSKU-1,1.25'

const levelKey = { variantId: gidOf('ProductVariant', 1), locationId: gidOf('Location', 1) }

async function firstLine(person: Person, [id = 0]: number[]) {
  const [first] = (await readOrder(person, id)).lineItems
  if (!first) throw new Error(`Order ${id} has no lines`)
  return first
}

/** A request of this person that succeeds, with the record that it needs. */
export async function makeRequest(endpoint: Endpoint, person: Person, db: Db) {
  const ids = await makeRecordOf(endpoint, person, db)
  const body = (await bodies[endpoint.name]?.(person, ids, db)) ?? (endpoint.body && sample(endpoint.body))
  return { url: addressOf(endpoint, ids), body: body as object | undefined }
}

/** Values for body fields by name: ids of this person's records, and values for which `sample` is not valid. */
export async function makeFieldValues(
  { path, method }: Endpoint,
  person: Person,
  ids: number[],
): Promise<Record<string, unknown>> {
  const names = {
    supplierId: await makeSupplier(person),
    destinationLocationId: gidOf('Location', 2),
    // of the digest, which has no recipient yet
    enabled: false,
    delta: 1,
    quantity: 5,
    // agrees with the quantity, in packs of one
    packs: 5,
    rate: 1,
    csv: ruleFile,
    // an alias belongs to one supplier
    aliases: [],
  }
  if (path === '/api/stock-imports') return { ...names, csv: stockFile }
  if (path.startsWith('/api/list-views')) return { ...names, ...listView() }
  if (path === '/api/purchase-orders/bulk') return { ...names, ids: [(await makeOrder(person)).id] }
  if (path === '/api/supplier-returns') {
    const { id, supplierId } = await makeOrderIn(person, 'received', {
      lineItems: [line(1, { quantity: 100_000 })],
    })
    return { ...names, supplierId, receiptId: (await receiptsOf(person, id))[0]?.id }
  }
  if (path === '/api/settings/logo') return { ...names, content: png.toString('base64') }
  if (path === '/api/attachments') {
    return { ...attachment({ subject: 'purchase_order', subjectId: (await makeOrder(person)).id }) }
  }
  // an earlier trial may have entered a number for the variant
  if (path === '/api/variants/{id}/forecast') {
    return { ...names, version: (await person.get(`/api/variants/${ids[0]}/forecast`)).json().data.version }
  }
  if (path === '/api/stock-counts/{id}/approve' || path === '/api/stock-counts/{id}') {
    const { variancesVersion } = (await person.get(`/api/stock-counts/${ids[0]}`)).json().data
    return { ...names, variancesVersion }
  }
  if (path === '/api/digest') {
    return { ...names, version: (await person.get('/api/digest')).json().data.version }
  }
  // version 0 is right while the shop has no template of its own
  if (path.startsWith('/api/mail-templates/')) await person.delete('/api/mail-templates/purchase_order')
  // a variant has at most one rule per location
  if (path === '/api/reorder/rules') await deleteRules(person)
  if (path === '/api/reorder/rules/delete') {
    await deleteRules(person)
    return { ...names, ids: [await makeRule(person)] }
  }
  if (path === '/api/reorder/purchase-orders') {
    await deleteRules(person)
    return { ...names, ruleIds: [await makeRule(person)] }
  }
  if (path.includes('/charges')) {
    const lineItemId = (await firstLine(person, ids)).id
    const ofCharge = { ...names, currency: 'USD', lineItemId, lineItemIds: [lineItemId] }
    // only the basis `manual` takes shares, which add up to the amount
    const shares = [{ lineItemId, amount: 3 }]
    if (method === 'POST') return { ...ofCharge, basis: 'manual', amount: 3, shares }
    return { ...ofCharge, version: (await readOrder(person, ids[0] ?? 0)).version }
  }
  if (path === '/api/imports/{id}') {
    return {
      ...names,
      name: 'costs.csv',
      sheet: 'costs.csv',
      column: 'SKU',
      field: 'sku',
      orderedOn: '2026-03-01',
    }
  }
  if (path === '/api/variants/find') return { ...names, packs: true }
  if (path === '/api/stock-transfers/cancel') return { ...names, ids: [await makeTransfer(person)] }
  if (path === '/api/stock-counts/cancel') return { ...names, ids: [await makeCount(person)] }
  if (path === '/api/suppliers/archive') return { ...names, ids: [names.supplierId] }
  if (path === '/api/suppliers/restore') return { ...names, ids: [await makeArchivedSupplier(person)] }
  if (path === '/api/suppliers/{id}/merge') return { ...names, intoId: names.supplierId }
  if (path === '/api/supplier-prices/import') return { ...names, csv: priceFile }
  if (path === '/api/suppliers/{id}/products/bulk') return { ...names, id: ids[1] }
  if (path === '/api/supplier-returns/{id}/credit') {
    return { ...names, version: (await person.get(`/api/supplier-returns/${ids[0]}`)).json().data.version }
  }
  if (path === '/api/suppliers/{id}/contacts/{contactId}') {
    const { contacts } = (await person.get(`/api/suppliers/${ids[0]}`)).json().data
    return { ...names, version: contacts.find(({ id }: { id: number }) => id === ids[1])?.version }
  }
  if (path === '/api/purchase-orders/{id}/send') {
    return { ...names, version: (await readOrder(person, ids[0] ?? 0)).version }
  }
  if (path.endsWith('/revise')) {
    const { version } = await readOrder(person, ids[0] ?? 0)
    return { ...names, version, id: (await firstLine(person, ids)).id }
  }
  if (path === '/api/stock-transfers/{id}/close') {
    return { ...names, version: (await person.get(`/api/stock-transfers/${ids[0]}`)).json().data.version }
  }
  // of the one piece of `makeTransfer`
  if (path.startsWith('/api/stock-transfers/{id}/')) return { ...names, quantity: 1, received: 1 }
  if (path.includes('/receipts/{receiptId}'))
    return { ...names, version: 1, lineItemId: (await firstLine(person, ids)).id }
  if (!/\/(receive|receipts)$/.test(path) || ids.length === 0) return names
  return { ...names, lineItemId: (await firstLine(person, ids)).id }
}

/** A value that is valid for the schema. */
export function sample(schema: JsonSchema): unknown {
  const {
    type,
    enum: values,
    const: only,
    anyOf,
    properties = {},
    items,
    minimum = 0,
    format,
    pattern,
  } = schema
  if (anyOf?.[0]) return sample(anyOf[0])
  if (only !== undefined) return only
  if (values) return values[0]
  if (type === 'null') return null
  if (type === 'array') return items ? [sample(items)] : []
  if (type === 'object') {
    return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, sample(field)]))
  }
  if (type === 'integer' || type === 'number') return minimum
  if (type === 'boolean') return true
  if (format === 'email') return 'alice@example.com'
  if (format === 'currency') return 'EUR'
  if (format === 'country') return 'FR'
  if (format === 'day') return '2026-03-01'
  if (format === 'month') return '2026-03'
  if (format === 'time-zone') return 'Europe/Paris'
  if (format === 'locale') return 'fr-FR'
  if (format === 'date-time') return '2026-03-01T12:00:00Z'
  const gid = /^\^gid:\/\/\[a-z\]\+\/(\w+)\//.exec(pattern ?? '')
  return gid ? `gid://platform/${gid[1]}/1` : 'words'
}

export type Field = { path: (string | number)[]; schema: JsonSchema; isRequired: boolean }

/** Every field of a body, including the fields of nested lists and objects. */
export function fieldsOf(schema: JsonSchema, path: Field['path'] = []): Field[] {
  const object = schema.anyOf?.find(({ type }) => type === 'object' || type === 'array') ?? schema
  if (object.items) return fieldsOf(object.items, [...path, 0])
  return Object.entries(object.properties ?? {}).flatMap(([name, field]) => [
    { path: [...path, name], schema: field, isRequired: object.required?.includes(name) ?? false },
    ...fieldsOf(field, [...path, name]),
  ])
}

/** The body with one field set, or removed when the value is undefined. */
export function withField(body: unknown, [key, ...rest]: Field['path'], value: unknown): unknown {
  if (key === undefined) return value
  if (typeof key === 'number') return [withField(Array.isArray(body) ? body[key] : {}, rest, value)]
  const record = { ...(body as Record<string, unknown>) }
  return { ...record, [key]: withField(record[key], rest, value) }
}

/** Whether the schema can accept a value of this JSON type. */
export function canAccept({ type, enum: values, const: only, anyOf }: JsonSchema, value: unknown): boolean {
  if (anyOf) return anyOf.some((member) => canAccept(member, value))
  if (only !== undefined) return value === only
  if (values) return values.includes(value)
  if (type === 'null' || value === null) return type === 'null' && value === null
  if (type === 'array' || Array.isArray(value)) return type === 'array' && Array.isArray(value)
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}
