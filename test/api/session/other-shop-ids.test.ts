import t, { type Test } from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { startApp } from '../../support/core/app.ts'
import { useOwnDatabase } from '../../support/core/database.ts'
import {
  addressOf,
  type Endpoint,
  type Field,
  fieldsOf,
  type JsonSchema,
  listEndpoints,
  makeRecordOf,
  makeRequest,
  withField,
} from '../../support/core/endpoints.ts'
import { hashesOf } from '../../support/make/everything.ts'
import { makeSentOrder, makeSupplier, readOrder } from '../../support/make/orders.ts'
import { makeDirectReceipt } from '../../support/make/receipts.ts'
import { makeStock } from '../../support/make/stock.ts'

// the test compares all rows of a shop at each endpoint, and the rows of other test files would make that slow
useOwnDatabase()

/** The kind of record that an id field or parameter refers to. */
const kindOf: Record<string, 'supplier' | 'line' | 'cursor' | 'order' | 'receipt'> = {
  supplierId: 'supplier',
  intoId: 'supplier',
  purchaseOrderId: 'order',
  subjectId: 'order',
  receiptId: 'receipt',
  lineItemId: 'line',
  lineItemIds: 'line',
  id: 'line',
  cursor: 'cursor',
}

const json = { 'content-type': 'application/json' }

/** Two shops with records of every kind. The texts of mallory's shop are unique, so that a leak is recognizable. */
async function start(t: Test) {
  const { app, db, alice, mallory } = await startApp(t)
  await makeStock(db, alice, { variants: 2, locations: 2 })
  await makeStock(db, mallory, { variants: 3, locations: 3 })
  await db.query(sql.typeAlias('void')`
    update product set title = 'Text of mallory' where shop_id = ${mallory.shopId}
  `)
  const supplierId = await makeSupplier(mallory, { name: 'Text of mallory', notes: 'Text of mallory' })
  const order = await makeSentOrder(mallory, { supplierId, notes: 'Text of mallory' })
  const [first] = (await readOrder(mallory, order.id)).lineItems
  const receipt = await makeDirectReceipt(mallory, { supplierId, notes: 'Text of mallory' })
  const endpoints = await listEndpoints(app)
  const ids = {
    ...{ supplier: supplierId, order: order.id, line: first?.id ?? 0, cursor: order.id + 1_000 },
    receipt: receipt.id,
  }
  return { app, db, alice, mallory, endpoints, ids }
}

/** A platform id that exists only in mallory's shop, if the schema expects a platform id. */
function gidOnlyOfMallory(schema: JsonSchema): string | undefined {
  const of = [schema, ...(schema.anyOf ?? [])]
  const [type] = of.flatMap(({ pattern }) => /^\^gid:\/\/[^/]+\/(\w+)\//.exec(pattern ?? '')?.[1] ?? [])
  return type && `gid://platform/${type}/3`
}

const isIdField = ({ schema }: Field) => {
  const of = [schema, ...(schema.anyOf ?? [])]
  return of.some(({ type, minimum }) => type === 'integer' && minimum === 1)
}

const nameOf = ({ path }: Field) => String(path.findLast((part) => typeof part === 'string'))
const isQuantity = (name: string) =>
  /quantity|limit|days|version|delta|packs|packSize|rank|maxItems|startAt|^from$|growth|level|round/i.test(
    name,
  )

t.test('the API accepts no id of another shop in any part of a request', async (t) => {
  const { db, alice, mallory, endpoints, ids } = await start(t)
  const probed = new Map<string, number>(endpoints.map(({ name }) => [name, 0]))
  const unknown: string[] = []
  const probe = async (endpoint: Endpoint, url: string, body: unknown, hint: string) => {
    const payload = body === undefined ? undefined : JSON.stringify(body)
    const answer = await alice.send(endpoint.method, url, payload, payload ? json : {})
    probed.set(endpoint.name, (probed.get(endpoint.name) ?? 0) + 1)
    t.notMatch(answer.body, 'Text of mallory', hint)
    t.ok(answer.statusCode < 500, `${hint} answers ${answer.statusCode}`)
    return answer
  }

  for (const endpoint of endpoints) {
    const { name, pathParameters, queryParameters } = endpoint
    const theirs = await makeRecordOf(endpoint, mallory, db)
    const { url, body } = await makeRequest(endpoint, alice, db)
    const own = await makeRecordOf(endpoint, alice, db)
    const before = await hashesOf(db, mallory)

    for (const at of pathParameters.keys()) {
      // the number of a part is no id
      if (pathParameters[at] === 'n') continue
      const mixed = pathParameters.map((_, i) => (i === at ? theirs[i] : own[i]) ?? 1)
      for (const part of [mixed, theirs]) {
        const { statusCode } = await probe(endpoint, addressOf(endpoint, part), body, `${name} of ${part}`)
        t.equal(statusCode, 404, `${name} with ${pathParameters[at]} of mallory's`)
      }
    }
    for (const { name: parameter, schema } of queryParameters) {
      const gid = gidOnlyOfMallory(schema)
      if (gid) await probe(endpoint, `${url}?${parameter}=${gid}`, body, `${name}?${parameter}`)
      if (schema.type !== 'integer' || isQuantity(parameter)) continue
      const kind = kindOf[parameter]
      if (!kind) unknown.push(`${name}?${parameter}`)
      await probe(endpoint, `${url}?${parameter}=${ids[kind ?? 'line']}`, body, `${name}?${parameter}`)
    }
    for (const field of endpoint.body ? fieldsOf(endpoint.body) : []) {
      const last = nameOf(field)
      const gid = gidOnlyOfMallory(field.schema)
      if (gid) {
        await probe(endpoint, url, withField(body ?? {}, field.path, gid), `${name} ${field.path.join('/')}`)
      }
      if (!isIdField(field) || isQuantity(last)) continue
      const kind = kindOf[last]
      if (!kind) unknown.push(`${name} ${field.path.join('/')}`)
      const hint = `${name} with ${field.path.join('/')} of mallory's`
      const forged = withField(body ?? {}, field.path, ids[kind ?? 'line'])
      const { statusCode } = await probe(endpoint, url, forged, hint)
      t.ok([400, 404, 409, 422].includes(statusCode), `${hint} answers ${statusCode}`)
    }
    // A request without any id is still sent once, to check its answer for mallory's texts.
    if (probed.get(name) === 0) await probe(endpoint, url, body, name)
    t.strictSame(await hashesOf(db, mallory), before, `${name} leaves mallory's rows unchanged`)
  }

  t.strictSame(unknown, [], 'every id field has an entry in `kindOf`')
  const counts = [...probed.values()]
  t.ok(counts.length === endpoints.length && counts.every((count) => count > 0), 'every endpoint is probed')
  const total = counts.reduce((sum, count) => sum + count, 0)
  t.comment(`${total} probes of ${counts.length} routes`)
  t.ok(total >= 110, `${total} probes`)
})
