import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../shared/db.ts'
import { makeOrder, makeSupplier } from './orders.ts'
import type { Person } from './people.ts'
import { makeFailedPush } from './stock-pushes.ts'

/** JSON Schema as far as our requests use it. */
export const JsonSchema = Type.Recursive((Self) =>
  Type.Object({
    type: Type.Optional(Type.String()),
    enum: Type.Optional(Type.Array(Type.Unknown())),
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

/** Makes what the addresses of a resource name. A resource that is new to the API needs its line here. */
const makers: Record<string, (person: Person, db: Db) => Promise<number[]>> = {
  '/api/suppliers': async (person) => {
    const supplierId = await makeSupplier(person)
    const contact = await person.post(`/api/suppliers/${supplierId}/contacts`, { name: 'Bob' })
    return [supplierId, contact.json().data.id]
  },
  '/api/purchase-orders': async (person) => [(await makeOrder(person)).id],
  '/api/stock-pushes': async (person, db) => [await makeFailedPush(db, person)],
}

/** The ids of a record of this person's that the endpoint's address can name. */
export async function makeRecordOf({ path }: Endpoint, person: Person, db: Db): Promise<number[]> {
  const make = makers[path.split('/').slice(0, 3).join('/')]
  if (!make) throw new Error(`test/support/endpoints.ts does not know how to make what ${path} names`)
  return make(person, db)
}

/** A value that the schema takes. */
export function sample(schema: JsonSchema): unknown {
  const { type, enum: values, anyOf, properties = {}, items, minimum = 0, format, pattern } = schema
  if (anyOf?.[0]) return sample(anyOf[0])
  if (values) return values[0]
  if (type === 'array') return items ? [sample(items)] : []
  if (type === 'object') {
    return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, sample(field)]))
  }
  if (type === 'integer' || type === 'number') return minimum
  if (type === 'boolean') return true
  if (format === 'email') return 'someone@example.com'
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
export function takes({ type, enum: values, anyOf }: JsonSchema, value: unknown): boolean {
  if (anyOf) return anyOf.some((one) => takes(one, value))
  if (values) return values.includes(value)
  if (type === 'null' || value === null) return type === 'null' && value === null
  if (type === 'array' || Array.isArray(value)) return type === 'array' && Array.isArray(value)
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}
