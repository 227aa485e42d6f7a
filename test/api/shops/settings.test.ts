import t from 'tap'
import { upsertLocations } from '../../../shared/domain/catalogue/locations.ts'
import { storeShopDetails } from '../../../shared/domain/catalogue/shop-details.ts'
import { defaultReasons } from '../../../shared/domain/stock/adjustment-reasons.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { enqueued } from '../../support/core/worker.ts'
import { gidOf } from '../../support/make/catalogue.ts'
import { line, makeSentOrder, readOrder, receiptsOf, receive } from '../../support/make/orders.ts'
import { makeStock } from '../../support/make/stock.ts'

const defaults = {
  companyName: '',
  address: '',
  phone: '',
  email: '',
  currency: 'USD',
  timeZone: 'UTC',
  locale: 'en-US',
  costWriteBack: 'off',
  countApprovalValue: null,
  adjustmentReasons: [...defaultReasons],
  adjustmentReasonRequired: false,
  overReceiptPercent: 0,
  labelFormat: { format: '62x29', dpi: 203, price: true },
  defaultLocationId: null,
}

t.test('a new shop has the default settings', async (t) => {
  const { alice } = await startApp(t)
  const answer = await alice.get('/api/settings')
  t.equal(answer.statusCode, 200)
  t.strictSame(answer.json(), { success: true, data: defaults })
})

t.test('settings from the platform are shown only to their shop', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  const facts = { name: 'Alice & Co', email: 'a@example.com', currency: 'EUR', timeZone: 'Europe/Paris' }
  await db.transaction((tx) => storeShopDetails(tx, alice.shopId, facts))
  t.strictSame((await alice.get('/api/settings')).json().data, {
    ...defaults,
    companyName: 'Alice & Co',
    email: 'a@example.com',
    currency: 'EUR',
    timeZone: 'Europe/Paris',
  })
  t.strictSame((await mallory.get('/api/settings')).json().data, defaults)
})

t.test('a part of the label format is changed, and the others stay', async (t) => {
  const { alice, mallory } = await startApp(t)
  await alice.put('/api/settings', { labelFormat: { dpi: 300 } })
  const answer = await alice.put('/api/settings', { labelFormat: { format: 'a4-3x8', price: false } })
  t.strictSame(answer.json().data.labelFormat, { format: 'a4-3x8', dpi: 300, price: false })
  t.strictSame((await mallory.get('/api/settings')).json().data, defaults)
  const refused = await alice.put('/api/settings', { labelFormat: { dpi: 250 } })
  const { details } = expectFailure(t, refused, 400, 'invalid_request')
  t.strictSame(details, [{ path: '/labelFormat/dpi', message: 'must be 203 or 300' }])
})

const company = {
  companyName: 'Alice & Daughters',
  address: '1 High Street\nYork',
  phone: '+44 1904 000000',
  email: 'buying@alice.example.com',
}

t.test('a request changes its fields and keeps the others', async (t) => {
  const { alice, mallory } = await startApp(t)
  const answer = await alice.put('/api/settings', company)
  t.equal(answer.statusCode, 200)
  t.strictSame(answer.json().data, { ...defaults, ...company })
  const changed = { ...defaults, ...company, phone: '', timeZone: 'Asia/Kolkata', locale: 'de-DE' }
  t.strictSame(
    (await alice.put('/api/settings', { phone: null, timeZone: 'asia/kolkata', locale: 'de-DE' })).json()
      .data,
    changed,
    'the name of a time zone is normalized',
  )
  t.strictSame((await alice.put('/api/settings', {})).json().data, changed)
  t.strictSame((await alice.get('/api/settings')).json().data, changed)
  t.strictSame((await mallory.get('/api/settings')).json().data, defaults)
})

t.test('an invalid field changes nothing', async (t) => {
  const { alice } = await startApp(t)
  for (const [body, path] of [
    [{ currencies: 'EUR' }, '/currencies'],
    [{ companyName: 'x'.repeat(201) }, '/companyName'],
    [{ companyName: 'Two\nlines' }, '/companyName'],
    [{ email: 'nonsense' }, '/email'],
    [{ timeZone: 'Europe/Nowhere' }, '/timeZone'],
    [{ timeZone: '+02:00' }, '/timeZone'],
    [{ timeZone: '' }, '/timeZone'],
    [{ locale: 'words' }, '/locale'],
    [{ defaultLocationId: 'gid://platform/Product/1' }, '/defaultLocationId'],
  ] as const) {
    const answer = await alice.put('/api/settings', { ...company, ...body })
    const { details } = expectFailure(t, answer, 400, 'invalid_request', JSON.stringify(body).slice(0, 60))
    t.match(details, [{ path }])
  }
  t.strictSame((await alice.get('/api/settings')).json().data, defaults)
})

t.test('the currency is read-only, so an update ignores it', async (t) => {
  const { alice } = await startApp(t)
  const answer = await alice.put('/api/settings', { ...company, currency: 'EUR' })
  t.equal(answer.statusCode, 200)
  t.match(answer.json().data, { companyName: company.companyName, currency: 'USD' })
})

t.test('fields that the merchant has changed stay, and the others follow the platform', async (t) => {
  const { db, alice } = await startApp(t)
  const updateFromPlatform = (name: string, timeZone: string) =>
    db.transaction((tx) =>
      storeShopDetails(tx, alice.shopId, { name, email: `${name}@example.com`, currency: 'EUR', timeZone }),
    )
  const settings = async () => (await alice.get('/api/settings')).json().data
  await updateFromPlatform('one', 'Europe/Paris')
  await alice.put('/api/settings', { companyName: null, timeZone: 'Asia/Tokyo' })
  await updateFromPlatform('two', 'Europe/Madrid')
  t.match(await settings(), { companyName: '', email: 'two@example.com', timeZone: 'Asia/Tokyo' })
  await alice.put('/api/settings', { companyName: 'two' })
  await updateFromPlatform('three', 'Europe/Madrid')
  t.match(await settings(), { companyName: 'three' }, 'saving the value of the platform is not a change')
})

t.test('a change of time zone recomputes values by day', async (t) => {
  const { db, alice } = await startApp(t)
  const waiting = async () => [
    await enqueued(db, jobs.recomputeSalesVelocity, alice.shopId),
    await enqueued(db, jobs.recomputeReorderPoints, alice.shopId),
  ]
  await alice.put('/api/settings', { ...company, timeZone: 'UTC' })
  t.strictSame(await waiting(), [[], []])
  await alice.put('/api/settings', { timeZone: 'Pacific/Auckland' })
  const { shopId } = alice
  t.strictSame(await waiting(), [[{ shopId, isWhole: true }], [{ shopId }]])
})

const syncLocations = async (db: Parameters<typeof makeStock>[0], { shopId }: Person, ...inUse: number[]) =>
  db.transaction((tx) =>
    upsertLocations(
      tx,
      shopId,
      [1, 2].map((number) => ({
        gid: gidOf('Location', number),
        name: `Place ${number}`,
        isActive: inUse.includes(number),
        isPrimary: number === 1,
      })),
    ),
  )

const primaryOf = async (person: Person) => {
  const { data }: { data: { locationId: string; isPrimary: boolean }[] } = (
    await person.get('/api/locations')
  ).json()
  return data.filter(({ isPrimary }) => isPrimary).map(({ locationId }) => locationId)
}

t.test('the merchant chooses the default location, and a sync keeps the choice', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 1, locations: 2 })
  await syncLocations(db, alice, 1, 2)
  const second = gidOf('Location', 2)
  const chosen = await alice.put('/api/settings', { defaultLocationId: second })
  t.match(chosen.json().data, { defaultLocationId: second })
  await syncLocations(db, alice, 1, 2)
  t.strictSame(await primaryOf(alice), [second])

  const order = await makeSentOrder(alice, { lineItems: [line(1, { quantity: 2 })] })
  t.equal((await receive(alice, order.id, [2])).statusCode, 200)
  t.match(await receiptsOf(alice, order.id), [{ locationId: second }])
  t.match(await readOrder(alice, order.id), { status: 'received' })

  await syncLocations(db, alice, 1)
  t.strictSame(
    await primaryOf(alice),
    [gidOf('Location', 1)],
    'the primary location of the platform replaces an unused one',
  )
  t.match((await alice.get('/api/settings')).json().data, { defaultLocationId: second })
  await syncLocations(db, alice, 1, 2)
  t.strictSame(await primaryOf(alice), [second])

  await alice.put('/api/settings', { companyName: 'Alice' })
  t.strictSame(await primaryOf(alice), [second], 'other settings keep the default location')
  t.match((await alice.put('/api/settings', { defaultLocationId: null })).json().data, {
    defaultLocationId: null,
  })
  t.strictSame(await primaryOf(alice), [gidOf('Location', 1)])
})

t.test('an unknown or unused location or one of another shop cannot be chosen', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  await makeStock(db, mallory, { variants: 1, locations: 3 })
  await makeStock(db, alice, { variants: 1, locations: 2 })
  await syncLocations(db, alice, 1)
  for (const number of [2, 3]) {
    const answer = await alice.put('/api/settings', {
      companyName: 'Alice',
      defaultLocationId: gidOf('Location', number),
    })
    const { details } = expectFailure(t, answer, 422, 'unknown_location')
    t.match(details, [{ path: '/defaultLocationId' }])
  }
  t.strictSame((await alice.get('/api/settings')).json().data, defaults)
  t.strictSame(await primaryOf(alice), [gidOf('Location', 1)])
})
