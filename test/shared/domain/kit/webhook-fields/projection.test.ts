import { type TSchema, Type, TypeGuard } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import t from 'tap'
import { createPayloadReader } from '../../../../../shared/domain/exchange/webhooks/payloads.ts'
import { webhookPayloads } from '../../../../../shared/domain/kit/webhook-fields/payloads.ts'
import { fieldsOf, projectBody } from '../../../../../shared/domain/kit/webhook-fields/projection.ts'
import { subscribedTopics, type WebhookTopic } from '../../../../../shared/queue/jobs.ts'
import { OrderPayload } from '../../../../../shared/schemas/webhooks.ts'

const topics = Object.keys(webhookPayloads) as WebhookTopic[]
const project = (topic: string, body: unknown) =>
  projectBody(topic, Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))).toString()

/** A valid value with every field of the schema. */
function sampleOf(schema: TSchema): unknown {
  if (TypeGuard.IsObject(schema)) {
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, field]) => [name, sampleOf(field)]),
    )
  }
  if (TypeGuard.IsArray(schema)) return [sampleOf(schema.items), sampleOf(schema.items)]
  if (TypeGuard.IsUnion(schema)) return sampleOf(schema.anyOf[0] ?? Type.Null())
  if (TypeGuard.IsString(schema)) return schema.format ? '2026-11-01T10:00:00+01:00' : 'text'
  return TypeGuard.IsBoolean(schema) ? true : 7
}

/** Adds personal data to each object of a body. */
function withPersonalData(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withPersonalData)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, field]) => [name, withPersonalData(field)])
  return {
    email: 'ada@example.com',
    customer: { first_name: 'Ada', default_address: [{ city: 'Ada' }] },
    ...Object.fromEntries(fields),
    note_attributes: ['Ada'],
  }
}

t.test('every field that a job reads is requested and stored, and nothing else', async (t) => {
  for (const topic of topics) {
    const schema = webhookPayloads[topic]
    const sample = sampleOf(schema)
    t.ok(Value.Check(schema, sample), `the sample of ${topic} is valid`)
    const stored = project(topic, withPersonalData(sample))
    t.strictSame(JSON.parse(stored), sample, topic)
    t.notMatch(stored, /ada/i)
  }
  t.strictSame(fieldsOf('PRODUCTS_UPDATE'), [
    'id',
    'title',
    'status',
    'vendor',
    'product_type',
    'tags',
    'image.src',
    'updated_at',
    'variants.id',
    'variants.title',
    'variants.sku',
    'variants.barcode',
    'variants.price',
    'variants.inventory_item_id',
    'variant_gids.admin_graphql_api_id',
  ])
  t.strictSame(fieldsOf('APP_UNINSTALLED'), ['id', 'myshopify_domain', 'shop_domain', 'domain'])
  t.strictSame(fieldsOf('CUSTOMERS_REDACT'), ['shop_domain', 'orders_to_redact'])
})

t.test('no requested field holds personal data of a customer', async (t) => {
  const personal =
    /mail|phone|address|customer|first_name|last_name|company|city|zip|latitude|longitude|note|ip$|client_details|token|url/
  // a location is a place of the shop, with its name, address and phone
  for (const topic of subscribedTopics.filter((name) => !name.startsWith('LOCATIONS_'))) {
    t.ok(fieldsOf(topic).length > 0, topic)
    t.strictSame(
      fieldsOf(topic).filter((field) => personal.test(field)),
      [],
      topic,
    )
    if (topic !== 'APP_UNINSTALLED') t.notOk(fieldsOf(topic).includes('name'), topic)
  }
})

t.test(
  'a topic that repeats has a time, so that the platform does not take two webhooks for one',
  async (t) => {
    const repeating = subscribedTopics.filter((topic) => /_UPDATED?$/.test(topic))
    t.ok(repeating.length > 1)
    for (const topic of repeating) t.ok(fieldsOf(topic).includes('updated_at'), topic)
  },
)

t.test('a reader of fields that are not stored does not start', async (t) => {
  const wider = Type.Object({ ...OrderPayload.properties, note: Type.String() })
  t.throws(() => createPayloadReader(wider), /No topic has this payload schema/)
})

t.test('ids keep all their digits, also beyond the safe integers', async (t) => {
  const order =
    '{"id":820982911946154508,"created_at":"2026-11-01T10:00:00Z","line_items":' +
    '[{"id":12345678901234567890,"variant_id":788032119674292922,"quantity":1},{"id":9007199254740991,"quantity":2}]}'
  t.equal(project('ORDERS_CREATE', order), order)
  t.equal(
    project('ORDERS_CREATE', '{"id":1e400,"line_items":[{"id":-0.5}]}'),
    '{"id":1e400,"line_items":[{"id":-0.5}]}',
  )
})

t.test('a job judges a projected body as it judges the whole one', async (t) => {
  const lines = (line: unknown) => ({ id: 1, created_at: '2026-11-01T10:00:00Z', line_items: line })
  const bodies = [
    'not json',
    '',
    '"Ada"',
    '["Ada"]',
    'null',
    '7',
    '{}',
    lines('Ada'),
    lines(null),
    lines({ name: 'Ada' }),
    lines(['Ada']),
    lines([[{ name: 'Ada' }]]),
    lines([{ id: { name: 'Ada' }, quantity: 1 }]),
    lines([{ id: 1, variant_id: ['Ada'], quantity: 1 }]),
    lines([{ id: 1, variant_id: null, quantity: 1 }]),
    lines([{ id: 1, quantity: 1.5 }]),
    lines([]),
    '{"__proto__":{"name":"Ada"},"id":1,"created_at":"2026-11-01T10:00:00Z","line_items":[],"id":2}',
    `\ufeff${JSON.stringify(lines([]))}`,
    `{"note":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
  ].map((body) => Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)))
  bodies.push(Buffer.from([0x22, 0xff, 0x22]))
  const read = createPayloadReader(OrderPayload)
  const judge = (payload: Buffer) => {
    const { readable, rejected } = read([{ id: 1, triggeredAt: null, receivedAt: '', payload }])
    const { id, created_at, line_items } = readable[0]?.payload ?? {}
    return rejected[0]?.reason ?? { id, created_at, line_items }
  }
  for (const body of bodies) {
    const stored = projectBody('ORDERS_CREATE', body)
    if (!body.includes('[[[')) t.strictSame(judge(stored), judge(body), body.toString().slice(0, 90))
    t.notMatch(stored.toString(), 'Ada')
  }
})

t.test('nothing is kept of an unknown topic', async (t) => {
  for (const topic of ['CARTS_UPDATE', '__proto__', '']) t.equal(project(topic, { id: 1, email: 'Ada' }), '')
})
