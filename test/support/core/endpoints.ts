import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../../shared/db/db.ts'
import { makeAlert } from '../make/alerts.ts'
import { gidOf } from '../make/catalogue.ts'
import { makeCount } from '../make/counts.ts'
import {
  line,
  makeOrder,
  makeOrderIn,
  makeSentOrder,
  makeSupplier,
  readOrder,
  receiptsOf,
} from '../make/orders.ts'
import { deleteRules, makeRule, rule } from '../make/reorder.ts'
import { makeTransfer } from '../make/transfers.ts'
import { makeFailedPush } from '../platform/stock-pushes.ts'
import { makeDelivery } from '../platform/webhooks.ts'
import type { Person } from './people.ts'

/** JSON Schema as far as our requests use it. */
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
    Type.Array(Type.Object({ name: Type.String(), in: Type.String(), schema: JsonSchema })),
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
  pathParameters: string[]
  queryParameters: { name: string; schema: JsonSchema }[]
  body: JsonSchema | undefined
}

/** Every endpoint the app says it has: what is tested for all of them is tested for the next one, too. */
export async function listEndpoints(app: FastifyInstance): Promise<Endpoint[]> {
  const { paths } = Value.Decode(Document, (await app.inject('/openapi.json')).json())
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { parameters = [], requestBody }]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase() as Endpoint['method'],
      path,
      pathParameters: parameters.filter((one) => one.in === 'path').map(({ name }) => name),
      queryParameters: parameters.filter((one) => one.in === 'query'),
      body: requestBody?.content['application/json'].schema,
    })),
  )
}

/** The address of an endpoint with `ids` in the order of its parameters. */
export function addressOf({ path }: Endpoint, ids: readonly (string | number)[] = []): string {
  const rest = [...ids]
  return path.replace(/\{\w+\}/g, () => String(rest.shift() ?? 1))
}

/** Where what an endpoint writes can be read: the longest address of a list or a record that its own begins with. */
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
 * Makes what addresses name that begin like this, in a state that lets them succeed. A resource that is new to the API
 * needs its line here. The person's shop has two variants at two locations (`makeStock`).
 */
const makers: Record<string, (person: Person, db: Db) => Promise<number[]>> = {
  '/api/suppliers': async (person) => {
    const supplierId = await makeSupplier(person)
    const contact = await person.post(`/api/suppliers/${supplierId}/contacts`, { name: 'Bob' })
    return [supplierId, contact.json().data.id]
  },
  '/api/purchase-orders': async (person) => [(await makeOrder(person)).id],
  '/api/purchase-orders/{id}/close': async (person) => [(await makeSentOrder(person)).id],
  '/api/purchase-orders/{id}/receive': async (person) => [(await makeSentOrder(person)).id],
  '/api/purchase-orders/{id}/receipts': async (person) => {
    const { id } = await makeOrderIn(person, 'partial')
    return [id, ...(await receiptsOf(person, id)).map((receipt) => receipt.id)]
  },
  '/api/stock-pushes': async (person, db) => [await makeFailedPush(db, person)],
  '/api/stock-transfers': async (person) => [await makeTransfer(person)],
  '/api/stock-counts': async (person) => [await makeCount(person)],
  '/api/reorder/rules': async (person) => {
    await deleteRules(person)
    return [await makeRule(person)]
  },
  '/api/alerts': async (person, db) => [await makeAlert(db, person)],
  '/api/sync/deliveries': async (person, db) => [await makeDelivery(db, person.shopId, { state: 'failed' })],
}

/** The ids of a record of this person's that the endpoint's address can name. */
export async function makeRecordOf(endpoint: Endpoint, person: Person, db: Db): Promise<number[]> {
  const { path, pathParameters } = endpoint
  if (pathParameters.length === 0) return []
  const known = Object.keys(makers).filter((start) => path === start || path.startsWith(`${start}/`))
  const make = makers[known.sort((a, b) => b.length - a.length)[0] ?? '']
  if (!make) throw new Error(`test/support/core/endpoints.ts does not know how to make what ${path} names`)
  return make(person, db)
}

/** Bodies that go through, where the sample of the schema names what is not there or is not up to date. */
const bodies: Record<string, (person: Person, ids: number[], db: Db) => Promise<object>> = {
  'POST /api/purchase-orders': async (person) => ({
    supplierId: await makeSupplier(person),
    lineItems: [line(1)],
  }),
  'PUT /api/purchase-orders/{id}': async () => ({ notes: 'Leave it at the back door' }),
  'POST /api/purchase-orders/{id}/receive': async (person, ids) => ({
    lineItems: [{ lineItemId: (await firstLine(person, ids)).id, quantityReceived: 1 }],
  }),
  'POST /api/stock-transfers': async () => ({
    sourceLocationId: place.locationId,
    destinationLocationId: gidOf('Location', 2),
    items: [{ variantId: place.variantId, quantity: 1 }],
  }),
  'PUT /api/stock-levels/bulk': async () => ({ adjustments: [{ ...place, quantity: 5 }] }),
  'PUT /api/reorder/rules/{id}': async () => ({ reorderPoint: 5 }),
  'POST /api/reorder/rules/bulk': async () => ({ rules: [rule()] }),
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
  'POST /api/stock-levels/adjust': async () => ({ adjustments: [{ ...place, delta: 5 }] }),
  'POST /api/sync/deliveries/replay-failed': async (person, _ids, db) => {
    await makeDelivery(db, person.shopId, { state: 'failed' })
    return {}
  },
  'POST /api/alerts/read-all': async (person, _ids, db) => {
    await makeAlert(db, person)
    return {}
  },
}

const ruleFile = 'sku,reorderPoint,reorderQuantity\nSKU-1,1,1'

const place = { variantId: gidOf('ProductVariant', 1), locationId: gidOf('Location', 1) }

async function firstLine(person: Person, [id = 0]: number[]) {
  const [first] = (await readOrder(person, id)).lineItems
  if (!first) throw new Error(`Order ${id} has no lines`)
  return first
}

/** A request of this person's that the endpoint grants, for a record made for it. */
export async function makeRequest(endpoint: Endpoint, person: Person, db: Db) {
  const ids = await makeRecordOf(endpoint, person, db)
  const body = (await bodies[endpoint.name]?.(person, ids, db)) ?? (endpoint.body && sample(endpoint.body))
  return { url: addressOf(endpoint, ids), body: body as object | undefined }
}

/** What fields of a body have to hold to name something of this person's, or to be possible at all. */
export async function makeNames(
  { path }: Endpoint,
  person: Person,
  ids: number[],
): Promise<Record<string, unknown>> {
  const names = {
    supplierId: await makeSupplier(person),
    destinationLocationId: gidOf('Location', 2),
    delta: 1,
    csv: ruleFile,
  }
  // a variant has one rule for each place
  if (path === '/api/reorder/rules') await deleteRules(person)
  if (path === '/api/reorder/purchase-orders') {
    await deleteRules(person)
    return { ...names, ruleIds: [await makeRule(person)] }
  }
  if (!path.endsWith('/receive')) return names
  return { ...names, lineItemId: (await firstLine(person, ids)).id }
}

/** A value that the schema takes. */
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
  if (type === 'array') return items ? [sample(items)] : []
  if (type === 'object') {
    return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, sample(field)]))
  }
  if (type === 'integer' || type === 'number') return minimum
  if (type === 'boolean') return true
  if (format === 'email') return 'someone@example.com'
  if (format === 'time-zone') return 'Europe/Paris'
  if (format === 'locale') return 'fr-FR'
  if (format === 'date-time') return '2026-03-01T12:00:00Z'
  const gid = /^\^gid:\/\/\[a-z\]\+\/(\w+)\//.exec(pattern ?? '')
  return gid ? `gid://platform/${gid[1]}/1` : 'words'
}

export type Field = { path: (string | number)[]; schema: JsonSchema; isRequired: boolean }

/** Every field of a body, those of its lists and objects included. */
export function fieldsOf(schema: JsonSchema, path: Field['path'] = []): Field[] {
  const object = schema.anyOf?.find(({ type }) => type === 'object' || type === 'array') ?? schema
  if (object.items) return fieldsOf(object.items, [...path, 0])
  return Object.entries(object.properties ?? {}).flatMap(([name, field]) => [
    { path: [...path, name], schema: field, isRequired: object.required?.includes(name) ?? false },
    ...fieldsOf(field, [...path, name]),
  ])
}

/** The body with one field set, or left out when the value is undefined. */
export function withField(body: unknown, [key, ...rest]: Field['path'], value: unknown): unknown {
  if (key === undefined) return value
  if (typeof key === 'number') return [withField(Array.isArray(body) ? body[key] : {}, rest, value)]
  const record = { ...(body as Record<string, unknown>) }
  return { ...record, [key]: withField(record[key], rest, value) }
}

/** Whether values of this JSON type are ever right for the schema. */
export function takes({ type, enum: values, const: only, anyOf }: JsonSchema, value: unknown): boolean {
  if (anyOf) return anyOf.some((one) => takes(one, value))
  if (only !== undefined) return value === only
  if (values) return values.includes(value)
  if (type === 'null' || value === null) return type === 'null' && value === null
  if (type === 'array' || Array.isArray(value)) return type === 'array' && Array.isArray(value)
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}
