import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { row, sql } from '../../../shared/db/db.ts'
import { refreshRules } from '../../../shared/domain/ledgers/stock/low-stock.ts'
import { applyPlatformLevels } from '../../../shared/domain/ledgers/stock/platform/platform-updates.ts'
import { settleLevels } from '../../../shared/domain/ledgers/stock/platform/settle.ts'
import { upsertLocations } from '../../../shared/domain/records/catalogue/locations.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { keepTransactionOpen, untilBlocked } from '../../support/core/database.ts'
import { readPages } from '../../support/core/people.ts'
import { enqueued } from '../../support/core/worker.ts'
import { gidOf } from '../../support/make/catalogue.ts'
import { makeOrder, makeSupplier } from '../../support/make/orders.ts'
import { listRules, makeRule, readRule, rule } from '../../support/make/reorder.ts'
import {
  closeLocation,
  item,
  locationGid,
  makeStock,
  makeTransfer,
  markVariant,
  takeStock,
  variantGid,
} from '../../support/make/stock.ts'
import { makeSupplierProduct } from '../../support/make/supplier-products.ts'

/** Both shops have three variants with 10 units of each at each of two locations. */
async function start(t: Test) {
  const people = await startApp(t)
  for (const person of [people.alice, people.mallory]) {
    await makeStock(people.db, person, { variants: 3, locations: 2 })
  }
  return people
}

t.test(
  'a created rule has the fields of the specification, and a read rule also its product and stock',
  async (t) => {
    const { alice } = await start(t)
    const supplierId = await makeSupplier(alice)
    const answer = await alice.post('/api/reorder/rules', rule({ supplierId }))
    t.equal(answer.statusCode, 201)
    const { id } = answer.json().data
    const created = { id, variantId: variantGid(1), reorderPoint: 20, reorderQuantity: 50, supplierId }
    t.strictSame(answer.json(), { success: true, data: created })
    const whole = {
      ...created,
      productId: gidOf('Product', 1),
      sku: 'SKU-1',
      title: 'Mug 1 - Size 1',
      supplierName: 'Acme',
      locationId: null,
      locationName: null,
      mode: 'manual',
      serviceLevel: null,
      abcClass: null,
      classServiceLevel: 95,
      reviewDays: 7,
      maxLevel: null,
      currentStock: 20,
      inputs: null,
      computedAt: null,
      isComputing: false,
    }
    t.strictSame(await readRule(alice, id), whole)
    t.strictSame(await listRules(alice), [whole])
    const bare = await readRule(alice, await makeRule(alice, { variantId: variantGid(2) }))
    t.match(bare, { supplierId: null, supplierName: null })
  },
)

t.test('a rule of one location counts only the stock of that location', async (t) => {
  const { alice } = await start(t)
  const id = await makeRule(alice, { locationId: locationGid(2) })
  t.match(await readRule(alice, id), {
    locationId: locationGid(2),
    locationName: 'Place 2',
    currentStock: 10,
  })
})

t.test('there is one rule for each variant and location', async (t) => {
  const { alice } = await start(t)
  const locations = [null, locationGid(1), locationGid(2)]
  for (const locationId of locations) await makeRule(alice, { locationId })
  for (const locationId of [undefined, ...locations]) {
    const answer = await alice.post('/api/reorder/rules', { ...rule(), ...(locationId && { locationId }) })
    expectFailure(t, answer, 409, 'conflict')
  }
  const [newest, ...others] = await listRules(alice)
  t.equal(others.length, 2)
  const answer = await alice.put(`/api/reorder/rules/${newest?.id}`, { locationId: null })
  expectFailure(t, answer, 409, 'conflict')
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => alice.post('/api/reorder/rules', rule({ variantId: variantGid(2) }))),
  )
  t.strictSame(answers.map(({ statusCode }) => statusCode).sort(), [201, ...Array(7).fill(409)])
})

t.test('numbers are bounded, and a manual rule requires point and quantity', async (t) => {
  const { alice } = await start(t)
  const id = await makeRule(alice, { variantId: variantGid(2) })
  for (const [field, values] of Object.entries({
    reorderPoint: [-1, 0.5, 1_000_000_001, '1', null],
    reorderQuantity: [0, 1_000_000_001, 1.5],
    serviceLevel: [89, 100, 95.5],
    reviewDays: [0, 91],
    mode: ['automatic', null],
  })) {
    for (const value of values) {
      for (const answer of [
        await alice.post('/api/reorder/rules', { ...rule(), [field]: value }),
        await alice.put(`/api/reorder/rules/${id}`, { [field]: value }),
      ]) {
        const { details } = expectFailure(t, answer, 400, 'invalid_request', `${field} = ${value}`)
        t.match(details, [{ path: `/${field}` }])
      }
    }
  }
  for (const fields of [{}, { mode: 'manual' }, { supplierId: null }]) {
    const answer = await alice.post('/api/reorder/rules', { variantId: variantGid(1), ...fields })
    t.strictSame(expectFailure(t, answer, 400, 'invalid_request').details, [
      { path: '/reorderPoint', message: 'is required' },
      { path: '/reorderQuantity', message: 'is required' },
    ])
  }
  await makeRule(alice, { reorderPoint: 0, reorderQuantity: 1, serviceLevel: 90, reviewDays: 90 })
})

t.test('the API refuses an unknown reference and names its field', async (t) => {
  const { db, alice, mallory } = await start(t)
  const id = await makeRule(alice, { variantId: variantGid(3) })
  await markVariant(db, alice, 2, 'untracked')
  await closeLocation(db, alice, 2)
  const theirs = await makeSupplier(mallory)
  for (const [fields, code, path] of [
    [{ variantId: variantGid(9) }, 'unknown_variant', '/variantId'],
    [{ variantId: variantGid(2) }, 'untracked_variant', '/variantId'],
    [{ locationId: locationGid(2) }, 'unknown_location', '/locationId'],
    [{ locationId: locationGid(9) }, 'unknown_location', '/locationId'],
    [{ supplierId: theirs }, 'unknown_supplier', '/supplierId'],
  ] as const) {
    for (const answer of [
      await alice.post('/api/reorder/rules', rule(fields)),
      await alice.put(`/api/reorder/rules/${id}`, fields),
    ]) {
      t.match(expectFailure(t, answer, 422, code).details, [{ path }])
    }
  }
  t.equal((await listRules(alice)).length, 1)
})

t.test('a patch changes its fields and keeps the others', async (t) => {
  const { alice } = await start(t)
  const supplierId = await makeSupplier(alice)
  const id = await makeRule(alice, { supplierId })
  let expected = await readRule(alice, id)
  for (const [patch, changes] of [
    [{ reorderPoint: 7 }, { reorderPoint: 7 }],
    [{ reorderQuantity: 8 }, { reorderQuantity: 8 }],
    [{ supplierId: null }, { supplierId: null, supplierName: null }],
    [
      { locationId: locationGid(1) },
      { locationId: locationGid(1), locationName: 'Place 1', currentStock: 10 },
    ],
    [{ locationId: null }, { locationId: null, locationName: null, currentStock: 20 }],
    [
      { serviceLevel: 99, reviewDays: 30 },
      { serviceLevel: 99, reviewDays: 30 },
    ],
    [
      { variantId: variantGid(2) },
      { variantId: variantGid(2), productId: gidOf('Product', 2), sku: 'SKU-2', title: 'Mug 2 - Size 2' },
    ],
    [{}, {}],
  ] as const) {
    const answer = await alice.put(`/api/reorder/rules/${id}`, patch)
    t.equal(answer.statusCode, 200)
    expected = { ...expected, ...changes }
    t.strictSame(answer.json().data, expected)
    t.strictSame(await readRule(alice, id), expected)
  }
})

t.test('a rule of a deleted variant can be changed and deleted', async (t) => {
  const { db, alice } = await start(t)
  const id = await makeRule(alice)
  await markVariant(db, alice, 1, 'deleted')
  t.match((await alice.put(`/api/reorder/rules/${id}`, { reorderPoint: 3 })).json().data, { reorderPoint: 3 })
  const answer = await alice.delete(`/api/reorder/rules/${id}`)
  t.strictSame(answer.json(), { success: true, data: { message: 'Reorder rule deleted.' } })
  expectFailure(t, await alice.get(`/api/reorder/rules/${id}`), 404, 'not_found')
  expectFailure(t, await alice.delete(`/api/reorder/rules/${id}`), 404, 'not_found')
})

t.test('rules are listed newest first, filtered by supplier, variant and search text', async (t) => {
  const { alice, mallory } = await start(t)
  const supplierId = await makeSupplier(alice)
  const [a, b, c] = [
    await makeRule(alice, { supplierId }),
    await makeRule(alice, { variantId: variantGid(2) }),
    await makeRule(alice, { locationId: locationGid(1), supplierId }),
  ]
  const idsOf = async (query: string) => (await listRules(alice, query)).map(({ id }) => id)
  t.strictSame(await idsOf(''), [c, b, a])
  t.strictSame(await readPages(alice, '/api/reorder/rules?limit=2'), [[c, b], [a]])
  t.strictSame(await readPages(alice, `/api/reorder/rules?limit=1&supplierId=${supplierId}`), [[c], [a]])
  t.strictSame(await idsOf(`?variantId=${variantGid(2)}`), [b])
  t.strictSame(await idsOf('?search=mUG%201'), [c, a])
  t.strictSame(await idsOf('?search=sku-2'), [b])
  t.strictSame(await idsOf('?search=%25'), [])
  await makeSupplierProduct(alice, { variantId: variantGid(2), supplierSku: 'NG_77' })
  await makeSupplierProduct(mallory, { variantId: variantGid(1), supplierSku: 'NG_77' })
  t.strictSame(await idsOf('?search=ng_7'), [b], 'by the SKU of a supplier')
})

t.test('an automatic rule is computed immediately and shows its inputs', async (t) => {
  const { alice } = await start(t)
  const supplierId = await makeSupplier(alice, { leadTimeDays: 10 })
  const answer = await alice.post('/api/reorder/rules', {
    variantId: variantGid(1),
    mode: 'auto',
    supplierId,
  })
  t.equal(answer.statusCode, 201)
  const { id, ...data } = answer.json().data
  t.match(data, { reorderPoint: 0, reorderQuantity: 1 }, 'a variant without sales')
  t.match(await readRule(alice, id), {
    mode: 'auto',
    inputs: {
      avgDailySales: 0,
      unitsSold: 0,
      leadTimeDays: 10,
      leadTimeSource: 'supplier',
      serviceLevel: 95,
      reviewDays: 7,
      maxLevel: null,
      safetyStock: 0,
    },
    computedAt: /Z$/,
    isComputing: false,
  })
  const put = await alice.put(`/api/reorder/rules/${id}`, { supplierId: null, serviceLevel: 90 })
  t.match(put.json().data, {
    mode: 'auto',
    inputs: { leadTimeDays: 14, leadTimeSource: 'assumed', serviceLevel: 90 },
  })
})

t.test('a rule becomes manual when the merchant sets a number', async (t) => {
  const { alice } = await start(t)
  const id = await makeRule(alice, { mode: 'auto' })
  t.match(
    await readRule(alice, id),
    { mode: 'auto', reorderPoint: 0, reorderQuantity: 1 },
    'the computed values replace the given ones',
  )
  const put = async (patch: object) => (await alice.put(`/api/reorder/rules/${id}`, patch)).json().data
  const manual = { mode: 'manual', inputs: null, computedAt: null }
  t.match(await put({ reorderPoint: 9 }), { ...manual, reorderPoint: 9, reorderQuantity: 1 })
  t.match(await put({ mode: 'auto', reorderPoint: 9 }), {
    mode: 'auto',
    reorderPoint: 0,
    inputs: { z: Number },
  })
  t.match(await put({ mode: 'manual' }), { ...manual, reorderPoint: 0, reorderQuantity: 1 })
})

t.test('a rule shows the stock after adjustments, transfers and platform updates', async (t) => {
  const { db, alice } = await start(t)
  const all = await makeRule(alice)
  const second = await makeRule(alice, { locationId: locationGid(2) })
  const other = await makeRule(alice, { variantId: variantGid(2) })
  const stock = async () =>
    Promise.all([all, second, other].map(async (id) => (await readRule(alice, id)).currentStock))
  await takeStock(db, alice, { variant: 1, location: 2, quantity: 4 })
  t.strictSame(await stock(), [16, 6, 20])
  const transfer = await makeTransfer(alice, { items: [item(1, 3), item(2, 1)] })
  await alice.put(`/api/stock-transfers/${transfer}`, { status: 'in_transit' })
  t.strictSame(await stock(), [13, 6, 19])
  await alice.put(`/api/stock-transfers/${transfer}`, { status: 'completed' })
  t.strictSame(await stock(), [16, 9, 20])
  await makeStock(db, alice, { variants: 3, locations: 2, available: 10 })
  t.strictSame(await stock(), [16, 9, 20], 'an outdated platform update changes nothing')
})

const LevelKey = Type.Object({ variantId: Type.Integer(), locationId: Type.Integer() })

t.test('a rule shows the stock of platform updates and of push responses', async (t) => {
  const { db, alice } = await start(t)
  const id = await makeRule(alice, { locationId: locationGid(2) })
  const level = await db.one(sql.type(row(LevelKey))`
    select v.id as variant_id, w.id as location_id
    from variant v
    join location w on w.shop_id = v.shop_id
    where v.shop_id = ${alice.shopId} and v.gid = ${variantGid(1)} and w.gid = ${locationGid(2)}
  `)
  const update = { ...level, available: 7, updatedAt: '2026-11-02T00:00:00Z' }
  await db.transaction((tx) => applyPlatformLevels(tx, alice.shopId, [update]))
  t.match(await readRule(alice, id), { currentStock: 7 })
  const answered = { ...level, settledDelta: 0, reported: { available: 3, at: '2026-11-03T00:00:00Z' } }
  await db.transaction((tx) => settleLevels(tx, alice.shopId, [answered]))
  t.match(await readRule(alice, id), { currentStock: 3 })
})

t.test('a rule created during a stock movement counts the movement', async (t) => {
  const { db, alice } = await start(t)
  const third = { gid: locationGid(3), name: 'Place 3', isActive: true, isPrimary: false }
  await db.transaction((tx) => upsertLocations(tx, alice.shopId, [third]))
  for (const [variant, location, pieces] of [
    [1, 1, 4],
    [2, 3, -4], // the first movement at location 3
  ] as const) {
    const release = await keepTransactionOpen(t, db, (tx) =>
      takeStock(tx, alice, { variant, location, quantity: pieces }),
    )
    const creation = makeRule(alice, { variantId: variantGid(variant) })
    await untilBlocked(db, 1)
    await release()
    t.match(await readRule(alice, await creation), { currentStock: 20 - pieces })
  }
})

t.test('a rule counts concurrent changes of a variant at several locations', async (t) => {
  const { db, alice } = await start(t)
  const id = await makeRule(alice)
  await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      takeStock(db, alice, { variant: 1, location: (at % 2) + 1, quantity: 1 }),
    ),
  )
  t.match(await readRule(alice, id), { currentStock: 10 })
})

t.test('deleting or archiving a supplier removes it from its rules', async (t) => {
  const { alice } = await start(t)
  const [deleted, archived] = [await makeSupplier(alice), await makeSupplier(alice)]
  await makeOrder(alice, { supplierId: archived })
  const rules = [
    await makeRule(alice, { supplierId: deleted }),
    await makeRule(alice, { supplierId: archived, locationId: locationGid(1) }),
  ]
  for (const id of [deleted, archived]) t.equal((await alice.delete(`/api/suppliers/${id}`)).statusCode, 200)
  for (const id of rules) {
    t.match(await readRule(alice, id), { supplierId: null, supplierName: null, reorderPoint: 20 })
  }
})

t.test('a bulk request creates or changes rules by variant and location', async (t) => {
  const { db, alice } = await start(t)
  const supplierId = await makeSupplier(alice)
  const id = await makeRule(alice, { supplierId, serviceLevel: 99 })
  const rules = [
    rule({ reorderPoint: 5 }),
    rule({ locationId: locationGid(2) }),
    { variantId: variantGid(2), mode: 'auto' },
  ]
  const save = () => alice.post('/api/reorder/rules/bulk', { rules })
  t.strictSame((await save()).json(), { success: true, data: { created: 2, updated: 1 } })
  t.match(await readRule(alice, id), { reorderPoint: 5, reorderQuantity: 50, supplierId, serviceLevel: 99 })
  t.match(await listRules(alice), [
    { variantId: variantGid(2), mode: 'auto', currentStock: 20, computedAt: null, isComputing: true },
    { locationId: locationGid(2), currentStock: 10 },
    { id },
  ])
  t.strictSame(await enqueued(db, jobs.recomputeReorderPoints, alice.shopId), [
    { shopId: alice.shopId, isOnlyNew: true },
  ])
  await db.query(sql.typeAlias('void')`
    update reorder_rule set updated_at = now() - interval '3 minutes' where shop_id = ${alice.shopId}
  `)
  const isComputing = async () => (await listRules(alice)).map((rule) => rule.isComputing)
  t.strictSame(await isComputing(), [false, false, false], 'it has too few days of sales')
  t.strictSame((await save()).json().data, { created: 0, updated: 3 })
  t.strictSame(await isComputing(), [true, false, false])
  t.equal((await listRules(alice)).length, 3)
})

t.test('a bulk request with an invalid rule saves none and reports every fault', async (t) => {
  const { alice } = await start(t)
  const send = (rules: object[]) => alice.post('/api/reorder/rules/bulk', { rules })
  const good = rule({ variantId: variantGid(3) })
  for (const [rules, status, code, paths] of [
    [[good, rule({ variantId: variantGid(9) })], 422, 'unknown_variant', ['/rules/1/variantId']],
    [
      [rule({ supplierId: 9999 }), good, rule({ supplierId: 9998 })],
      422,
      'unknown_supplier',
      ['/rules/0/supplierId', '/rules/2/supplierId'],
    ],
    [[good, rule({ locationId: locationGid(9) })], 422, 'unknown_location', ['/rules/1/locationId']],
    [[good, rule(), { ...good, locationId: null }], 422, 'duplicate_rule', ['/rules/2/variantId']],
    [
      [good, { variantId: variantGid(1), reorderPoint: 1 }],
      400,
      'invalid_request',
      ['/rules/1/reorderQuantity'],
    ],
    [[], 400, 'invalid_request', ['/rules']],
    [Array(1001).fill(good), 400, 'invalid_request', ['/rules']],
  ] as const) {
    const { details } = expectFailure(t, await send([...rules]), status, code)
    t.strictSame(
      details?.map(({ path }) => path),
      paths,
    )
  }
  t.strictSame(await listRules(alice), [])
})

t.test('another shop can neither read nor change a rule', async (t) => {
  const { alice, mallory } = await start(t)
  const id = await makeRule(alice)
  const before = await readRule(alice, id)
  expectFailure(t, await mallory.get(`/api/reorder/rules/${id}`), 404, 'not_found')
  expectFailure(t, await mallory.put(`/api/reorder/rules/${id}`, { reorderPoint: 1 }), 404, 'not_found')
  expectFailure(t, await mallory.delete(`/api/reorder/rules/${id}`), 404, 'not_found')
  t.strictSame(await listRules(mallory), [])
  await makeRule(mallory)
  t.strictSame(await listRules(alice), [before])
})

t.test('a refresh updates only the rules of the given variants and shop', async (t) => {
  const { db, alice, mallory } = await start(t)
  const rules = [await makeRule(alice), await makeRule(alice, { variantId: variantGid(2) })]
  const theirs = await makeRule(mallory)
  await db.query(sql.typeAlias('void')`update reorder_rule set current_stock = 1`)
  const variantId = await db.oneFirst(sql.type(row(Type.Object({ id: Type.Integer() })))`
    select id from variant where shop_id = ${alice.shopId} and gid = ${variantGid(1)}
  `)
  await db.transaction((tx) => refreshRules(tx, alice.shopId, [variantId, variantId]))
  const stock = await Promise.all(rules.map(async (id) => (await readRule(alice, id)).currentStock))
  t.strictSame(stock, [20, 1])
  t.match(await readRule(mallory, theirs), { currentStock: 1 })
})
