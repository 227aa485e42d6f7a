import t from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { getOrderDocument } from '../../../shared/domain/documents/purchase-orders/mail/document.ts'
import { upsertLocations } from '../../../shared/domain/records/catalogue/locations.ts'
import { defaultReasons } from '../../../shared/domain/records/shops/adjustment-reasons.ts'
import { storeShopDetails } from '../../../shared/domain/records/shops/shop-details.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { readPdf } from '../../shared/pdf/read-pdf.ts'
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
  taxId: '',
  orderedBy: '',
  mailCopyTo: '',
  paper: 'auto',
  paperInUse: 'a4',
  logo: null,
  currency: 'USD',
  timeZone: 'UTC',
  locale: 'en-US',
  costWriteBack: 'off',
  countApprovalValue: null,
  adjustmentReasons: [...defaultReasons],
  isSetupHidden: false,
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

t.test('a shop without a chosen locale writes as in the country of its primary location', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  await makeStock(db, alice, { variants: 1 })
  await db.query(sql.typeAlias('void')`
    update location set country_code = 'GB' where shop_id = ${alice.shopId} and is_primary
  `)
  const locale = async (person: Person) => (await person.get('/api/settings')).json().data.locale
  t.equal(await locale(alice), 'en-GB')
  t.equal(await locale(mallory), 'en-US')
  await alice.put('/api/settings', { phone: '1' })
  t.equal(await locale(alice), 'en-GB', 'another setting does not choose a locale')
  const { id } = await makeSentOrder(alice, { lineItems: [line(1)] })
  t.equal((await getOrderDocument(db, alice.shopId, id)).locale, 'en-GB')
  await alice.put('/api/settings', { locale: 'fr-FR' })
  t.equal(await locale(alice), 'fr-FR')
})

t.test('an update with what a read answered chooses nothing', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 1 })
  const moveTo = (country: string) =>
    db.query(sql.typeAlias('void')`
      update location set country_code = ${country} where shop_id = ${alice.shopId} and is_primary
    `)
  await moveTo('GB')
  const settings = async () => (await alice.get('/api/settings')).json().data
  const { paperInUse: _, logo: _logo, ...fields } = await settings()
  t.match(fields, { locale: 'en-GB', adjustmentReasons: [...defaultReasons] })
  const answer = await alice.put('/api/settings', fields)
  t.equal(answer.statusCode, 200)
  await moveTo('IE')
  t.equal((await settings()).locale, 'en-IE', 'the locale follows the country')
  t.equal(
    await db.exists(sql.typeAlias('void')`
      select from shop_setting where shop_id = ${alice.shopId} and adjustment_reasons is not null
    `),
    false,
  )
})

t.test('the first steps are hidden for the shop, not in a browser', async (t) => {
  const { alice, mallory } = await startApp(t)
  t.match((await alice.put('/api/settings', { isSetupHidden: true })).json().data, { isSetupHidden: true })
  t.match((await alice.get('/api/settings')).json().data, { isSetupHidden: true })
  t.match((await mallory.get('/api/settings')).json().data, { isSetupHidden: false })
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

t.test('documents are on US Letter in its countries, unless the merchant chooses', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  await makeStock(db, alice, { variants: 1 })
  const { id } = await makeSentOrder(alice, { lineItems: [line(1)] })
  const moveTo = (country: string) =>
    db.query(sql.typeAlias('void')`
      update location set country_code = ${country} where shop_id = ${alice.shopId} and is_primary
    `)
  for (const [country, choice, expected] of [
    ['GB', 'auto', 'a4'],
    ['US', 'auto', 'letter'],
    ['CA', 'auto', 'letter'],
    ['MX', 'auto', 'letter'],
    ['US', 'a4', 'a4'],
    ['DE', 'letter', 'letter'],
    ['DE', 'auto', 'a4'],
  ] as const) {
    await moveTo(country)
    const { data } = (await alice.put('/api/settings', { paper: choice })).json()
    t.match(data, { paper: choice, paperInUse: expected }, `${choice} in ${country}`)
    t.equal((await getOrderDocument(db, alice.shopId, id)).paper, expected)
    const { pages } = await readPdf((await alice.get(`/api/purchase-orders/${id}/pdf`)).rawPayload)
    t.equal(pages[0]?.width, expected === 'letter' ? 612 : 595.28)
  }
  t.strictSame((await mallory.get('/api/settings')).json().data, defaults)
  expectFailure(t, await alice.put('/api/settings', { paper: 'a5' }), 400, 'invalid_request')
})

t.test('documents name the tax number of the shop and the buyer', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  const { id } = await makeSentOrder(alice, { lineItems: [line(1)] })
  const before = await getOrderDocument(db, alice.shopId, id)
  t.equal(before.shop.taxId, undefined)
  const fields = { taxId: 'GB 123 4567 89', orderedBy: 'Dana Reyes' }
  t.match((await alice.put('/api/settings', fields)).json().data, fields)
  const order = await getOrderDocument(db, alice.shopId, id)
  t.match(order, { shop: { taxId: fields.taxId }, orderedBy: fields.orderedBy })
  const { text } = await readPdf((await alice.get(`/api/purchase-orders/${id}/pdf`)).rawPayload)
  t.match(text, 'Tax ID: GB 123 4567 89')
  t.match(text, 'Ordered by\nDana Reyes')
  t.strictSame((await mallory.get('/api/settings')).json().data, defaults)
  t.match((await alice.put('/api/settings', { taxId: null, orderedBy: '' })).json().data, {
    taxId: '',
    orderedBy: '',
  })
})

t.test('an example order shows what the settings put on the PDF', async (t) => {
  const { alice } = await startApp(t)
  await alice.put('/api/settings', { ...company, taxId: 'GB 1', orderedBy: 'Dana', paper: 'letter' })
  const answer = await alice.get('/api/settings/sample-order.pdf')
  t.equal(answer.headers['content-type'], 'application/pdf')
  const { text, pages } = await readPdf(answer.rawPayload)
  for (const expected of [
    company.companyName,
    'Tax ID: GB 1',
    'Dana',
    'Tax 20%',
    'Total pieces\n58',
    'PO-00042',
    '8 × 6',
  ])
    t.ok(text.includes(expected), expected)
  t.equal(pages.length, 1)
  t.equal(pages[0]?.width, 612)
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
    [{ mailCopyTo: 'nonsense' }, '/mailCopyTo'],
    [{ taxId: 'x'.repeat(51) }, '/taxId'],
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
