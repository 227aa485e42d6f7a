import t, { type Test } from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import type { ReorderRuleInput } from '../../../shared/schemas/reorder-rules.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { dayFromToday } from '../../support/core/instants.ts'
import type { Person } from '../../support/core/people.ts'
import { enqueued } from '../../support/core/worker.ts'
import { line, makeOrderIn, makeSentOrder, makeSupplier } from '../../support/make/orders.ts'
import { setPlaceForecast, setSales } from '../../support/make/planning.ts'
import { listRules, listSuggestions, makeRule, readRule, setVelocity } from '../../support/make/reorder.ts'
import { listReplenishment, setForecast } from '../../support/make/replenishment.ts'
import { locationGid, makeStock, variantGid } from '../../support/make/stock.ts'
import { makeSupplierProduct } from '../../support/make/supplier-products.ts'

/** 10 units of each of three variants at one location; alice's supplier delivers in 14 days. */
async function start(t: Test) {
  const people = await startApp(t)
  const { db, alice, mallory } = people
  for (const person of [alice, mallory]) await makeStock(db, person, { variants: 3 })
  const supplierId = await makeSupplier(alice, { leadTimeDays: 14 })
  return { ...people, supplierId }
}

/** An automatic rule for variant 1, unless given, which the API computes at once. */
async function makeAutoRule(person: Person, fields: Partial<ReorderRuleInput>): Promise<number> {
  const answer = await person.post('/api/reorder/rules', {
    variantId: variantGid(1),
    mode: 'auto',
    ...fields,
  })
  if (answer.statusCode !== 201) throw new Error(answer.body)
  return answer.json().data.id
}

t.test('a computed rule has the point and the quantity of the forecast, and explains them', async (t) => {
  const { db, alice, supplierId } = await start(t)
  await makeSupplierProduct(alice, {
    ...{ supplierId, variantId: variantGid(1), supplierSku: 'N-1', packSize: 10, prices: [{ price: 2 }] },
  })
  await setForecast(db, alice, 1, { standardError: 2 })
  const id = await makeAutoRule(alice, {})
  // L = 2 weeks, R = 1: SS = 1.6449 √(3 · 2²) = 5.698; point 14 + 5.698 = 19.7; a week later 7 are sold
  const rule = await readRule(alice, id)
  t.match(rule, {
    ...{ reorderPoint: 20, reorderQuantity: 7, maxLevel: null },
    inputs: { method: 'seasonal_mean', wape: 0.18, coverDays: 7, confidence: 'normal' },
  })
  // on a Thursday 4/7 · 7 + 7 + 3/7 · 7 is 14.000000000000002
  t.equal(Number(rule.inputs?.forecastUnits?.toFixed(9)), 14)
  // 14 + 7 + 5.698 - 10 = 16.7: 17, in packs of 10: 20. Sold out after 10 days, a new order takes 14
  t.match(await listSuggestions(alice), [
    {
      ...{ suggestedQuantity: 20, roundedUpBy: 3, method: 'seasonal_mean', wape: 0.18, confidence: 'normal' },
      ...{ gapOn: dayFromToday(10), orderByDate: dayFromToday(-4), lateOnOrder: 0, inTimePosition: 10 },
      explanation:
        'Sells 7 a week (seasonal, off by 18 % lately), arrives in 14 days, 10 left: order 20 (2 packs of 10) now. ' +
        '17 wanted; packs of 10: 20.',
    },
  ])
})

t.test('the service level is that of the ABC class unless the merchant chose one', async (t) => {
  const { db, alice, supplierId } = await start(t)
  await setForecast(db, alice, 1, { standardError: 2 })
  await setVelocity(db, alice, 1, 30)
  const setClass = (abcClass: string) =>
    db.query(
      sql.typeAlias(
        'void',
      )`update variant_velocity set abc_class = ${abcClass} where shop_id = ${alice.shopId}`,
    )
  await setClass('A')
  const id = await makeAutoRule(alice, { supplierId })
  // SS = z √(3 · 2²): 2.054 · 3.464 = 7.1 for 98 %, 1.645 · 3.464 = 5.7 for 95 %, 1.282 · 3.464 = 4.4 for 90 %
  const rule = {
    serviceLevel: null,
    abcClass: 'A',
    classServiceLevel: 98,
    reorderPoint: 22,
    inputs: { serviceLevel: 98 },
  }
  t.match(await readRule(alice, id), rule)
  // 14 + 7 + 7.1 - 10
  t.match(await listSuggestions(alice), [{ suggestedQuantity: 19 }])
  const put = async (fields: object) => (await alice.put(`/api/reorder/rules/${id}`, fields)).json().data
  t.match(await put({ serviceLevel: 95 }), {
    serviceLevel: 95,
    reorderPoint: 20,
    inputs: { serviceLevel: 95 },
  })
  t.match(await listSuggestions(alice), [{ suggestedQuantity: 17 }])
  t.match(await put({ serviceLevel: null }), rule, 'null is by class again')
  await setClass('C')
  t.match(await put({ reviewDays: 8 }), { abcClass: 'C', inputs: { serviceLevel: 90 } })
  // the previous release writes service_level only
  const writeAsBefore = (level: number) =>
    db.query(
      sql.typeAlias('void')`update reorder_rule set service_level = ${level} where shop_id = ${alice.shopId}`,
    )
  await writeAsBefore(97)
  t.match(await readRule(alice, id), { serviceLevel: 97 })
  await writeAsBefore(95)
  t.match(await readRule(alice, id), { serviceLevel: null })
})

t.test('a number by hand wins over the forecast', async (t) => {
  const { db, alice, supplierId } = await start(t)
  await setForecast(db, alice, 1, { standardError: 2 })
  const id = await makeRule(alice, { reorderPoint: 12, reorderQuantity: 30, supplierId })
  t.match(await readRule(alice, id), { reorderPoint: 12, reorderQuantity: 30, inputs: null })
  t.match(await listSuggestions(alice), [{ suggestedQuantity: 30, method: 'seasonal_mean' }])
  // a forecast by hand: 14 a week
  await alice.put(`/api/variants/${variantGid(2).split('/').at(-1)}/forecast`, { unitsPerWeek: 14 })
  const other = await makeAutoRule(alice, { variantId: variantGid(2), supplierId })
  t.match(await readRule(alice, other), {
    reorderPoint: 28,
    reorderQuantity: 14,
    inputs: { method: 'manual' },
  })
})

t.test('a forecast that is old, or whose error is not known, counts as none', async (t) => {
  const { db, alice, supplierId } = await start(t)
  await db.query(sql.typeAlias('void')`
    insert into sales_reading (shop_id, known_since) values (${alice.shopId}, now() - interval '200 days')
    on conflict (shop_id) do update set known_since = excluded.known_since
  `)
  await setForecast(db, alice, 1, { units: [700], wape: null })
  await setForecast(db, alice, 2, { units: [700] })
  await db.query(sql.typeAlias('void')`
    update variant_forecast set week = week - 14
    where shop_id = ${alice.shopId}
      and variant_id = (select id from variant where shop_id = ${alice.shopId} and gid = ${variantGid(2)})
  `)
  for (const number of [1, 2]) await makeAutoRule(alice, { variantId: variantGid(number), supplierId })
  for (const { reorderPoint, inputs } of await listRules(alice)) {
    t.equal(reorderPoint, 0, 'nothing was sold in 90 days')
    t.equal(inputs?.method, undefined)
  }
})

t.test('a location without demand trusts its forecast, whose error has no share', async (t) => {
  const { db, alice, supplierId } = await start(t)
  await makeStock(db, alice, { variants: 3, locations: 2 })
  await db.query(sql.typeAlias('void')`
    insert into sales_reading (shop_id, known_since) values (${alice.shopId}, now() - interval '200 days')
    on conflict (shop_id) do update set known_since = excluded.known_since
  `)
  // 90 units at location 1; location 2 sold nothing, and its season is ahead
  await setSales(db, alice, 1, { 1: 90 })
  const locationId = locationGid(2)
  await setPlaceForecast(db, alice, { variant: 1, location: 2, perWeek: 7, wape: null })
  const id = await makeAutoRule(alice, { supplierId, locationId })
  t.match(await readRule(alice, id), { reorderPoint: 14, inputs: { method: 'mean', wape: null } })
  // without a forecast, its own sales
  await db.query(sql.typeAlias('void')`delete from variant_forecast where shop_id = ${alice.shopId}`)
  await alice.put(`/api/reorder/rules/${id}`, { reviewDays: 8 })
  t.match(await readRule(alice, id), { reorderPoint: 0, reorderQuantity: 1, inputs: { unitsSold: 0 } })
})

t.test('a suggestion for a location has the pace of its own sales', async (t) => {
  const { db, alice, supplierId } = await start(t)
  await makeStock(db, alice, { variants: 3, locations: 2 })
  await setVelocity(db, alice, 1, 90)
  for (const location of [1, 2]) {
    await makeRule(alice, { reorderPoint: 20, supplierId, locationId: locationGid(location) })
  }
  const paces = async () =>
    (await listSuggestions(alice)).map(({ locationId, avgDailySales, stockoutDate }) => [
      locationId,
      avgDailySales,
      stockoutDate,
    ])
  t.match(await paces(), [
    [locationGid(2), 3],
    [locationGid(1), 3],
  ])
  await setSales(db, alice, 1, { 1: 60 })
  t.strictSame(await paces(), [
    [locationGid(1), 2, dayFromToday(5)],
    [locationGid(2), 0, null],
  ])
})

t.test('an order later than the stock lasts is late by the delay of its supplier', async (t) => {
  const { db, alice, supplierId } = await start(t)
  await setForecast(db, alice, 1)
  await makeAutoRule(alice, { supplierId })
  // promised in 13 days: a new order would take 14, so it counts
  await makeSentOrder(alice, {
    supplierId,
    lineItems: [line(1, { quantity: 100 })],
    expectedAt: `${dayFromToday(13)}T12:00:00Z`,
  })
  t.match(await listSuggestions(alice), [{ suggestedQuantity: 0, inTimePosition: 110, lateOnOrder: 0 }])
  // twelve received orders: the last ten were 5 days late
  for (const days of [90, 90, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5]) {
    const { id } = await makeOrderIn(alice, 'received', { supplierId, lineItems: [line(2)] })
    await db.query(sql.typeAlias('void')`
      update purchase_order
      set sent_at = received_at - interval '14 days', expected_at = received_at - make_interval(days => ${days})
      where shop_id = ${alice.shopId} and id = ${id}
    `)
  }
  // 13 + 5 = 18: 8 days after the gap on day 10. 1 a day over 14 + 7 days, minus 10
  const [suggestion] = await listSuggestions(alice)
  t.match(suggestion, {
    ...{ onOrder: 100, position: 110, inTimePosition: 10, lateOnOrder: 100, suggestedQuantity: 11 },
    gapOn: dayFromToday(10),
  })
  t.match(
    suggestion?.explanation,
    / 10 left, 100 on order arrive on .+ \(5 days after the promised date, as usual for this supplier\), 8 days after it is sold out: order 11 now\.$/,
  )
})

t.test('an order to another location is no order in time', async (t) => {
  const { db, alice, supplierId } = await start(t)
  await makeStock(db, alice, { variants: 3, locations: 2 })
  await setVelocity(db, alice, 1, 30)
  await makeRule(alice, { reorderPoint: 20, reorderQuantity: 5, supplierId, locationId: locationGid(2) })
  await makeSentOrder(alice, { supplierId, lineItems: [line(1, { quantity: 100 })] })
  t.match(await listSuggestions(alice), [{ onOrder: 0, lateOnOrder: 0, inTimePosition: 10 }])
})

t.test('an order fills up to the maximum level', async (t) => {
  const { db, alice, supplierId } = await start(t)
  await makeSupplierProduct(alice, { supplierId, variantId: variantGid(1), supplierSku: 'N-1' })
  await setForecast(db, alice, 1)
  const id = await makeRule(alice, { reorderPoint: 12, reorderQuantity: 30, supplierId, maxLevel: 100 })
  t.match(await listSuggestions(alice), [
    { suggestedQuantity: 90, explanation: /at or below 12: order 90, up to the maximum level 100; / },
  ])
  // also on the page of replenishment: 44 are needed, so up to 100
  t.match(await listReplenishment(alice, '?days=30'), [
    { suggestedQuantity: 90, explanation: /: order 90, up to the maximum of 100, now\.$/ },
  ])
  const put = (fields: object) => alice.put(`/api/reorder/rules/${id}`, fields)
  for (const maxLevel of [0, 1.5, 1_000_000_001]) {
    expectFailure(t, await put({ maxLevel }), 400, 'invalid_request')
  }
  const { details } = expectFailure(t, await put({ maxLevel: 12 }), 400, 'invalid_request')
  t.strictSame(details, [{ path: '/maxLevel', message: 'must be above the reorder point' }])
  t.match(
    (await put({ mode: 'auto' })).json().data,
    { mode: 'auto', maxLevel: 100 },
    'it needs no other number',
  )
  t.match((await put({ maxLevel: null })).json().data, { maxLevel: null })
})

t.test('the CSV has the new columns', async (t) => {
  const { db, alice, supplierId } = await start(t)
  await setForecast(db, alice, 1)
  await makeAutoRule(alice, { supplierId, maxLevel: 50 })
  const csv = await alice.get('/api/reorder/suggestions', { accept: 'text/csv' })
  const [header, record] = csv.body.slice(1).split('\n')
  t.match(
    header,
    ',Explanation,Method,Forecast error (%),First day without enough stock,In stock again on,Arriving after it runs out,Arriving too late,Available and arriving in time,Confidence,Variant ID,',
  )
  t.match(record, `,Seasonal mean,18,${dayFromToday(10)},,0,0,10,Normal,gid:`)
  const rules = await alice.get('/api/reorder/rules', { accept: 'text/csv' })
  t.match(rules.body, ',Review days,Max level,Variant ID')
})

t.test('a number that a person enters for the forecast leads to new points', async (t) => {
  const { db, alice, supplierId } = await start(t)
  await setForecast(db, alice, 1)
  const id = await makeAutoRule(alice, { supplierId })
  const before = await enqueued(db, jobs.recomputeReorderPoints, alice.shopId)
  await alice.put(`/api/variants/${variantGid(1).split('/').at(-1)}/forecast`, { unitsPerWeek: 70 })
  const jobsAfter = await enqueued(db, jobs.recomputeReorderPoints, alice.shopId)
  t.strictSame(jobsAfter.slice(before.length), [{ shopId: alice.shopId, ruleIds: [id] }])
})
