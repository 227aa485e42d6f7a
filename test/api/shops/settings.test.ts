import t from 'tap'
import { upsertLocations } from '../../../shared/domain/catalogue/locations.ts'
import { takeShopFacts } from '../../../shared/domain/catalogue/shop-details.ts'
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
  defaultLocationId: null,
}

t.test('a shop nobody has told anything about has the defaults', async (t) => {
  const { alice } = await startApp(t)
  const answer = await alice.get('/api/settings')
  t.equal(answer.statusCode, 200)
  t.strictSame(answer.json(), { success: true, data: defaults })
})

t.test('what the platform says is shown, and nothing of it to another shop', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  const facts = { name: 'Alice & Co', email: 'a@example.com', currency: 'EUR', timeZone: 'Europe/Paris' }
  await db.transaction((tx) => takeShopFacts(tx, alice.shopId, facts))
  t.strictSame((await alice.get('/api/settings')).json().data, {
    ...defaults,
    companyName: 'Alice & Co',
    email: 'a@example.com',
    currency: 'EUR',
    timeZone: 'Europe/Paris',
  })
  t.strictSame((await mallory.get('/api/settings')).json().data, defaults)
})

const company = {
  companyName: 'Alice & Daughters',
  address: '1 High Street\nYork',
  phone: '+44 1904 000000',
  email: 'buying@alice.example.com',
}

t.test('what is given is changed, the rest stays', async (t) => {
  const { alice, mallory } = await startApp(t)
  const answer = await alice.put('/api/settings', company)
  t.equal(answer.statusCode, 200)
  t.strictSame(answer.json().data, { ...defaults, ...company })
  const changed = { ...defaults, ...company, phone: '', timeZone: 'Asia/Kolkata', locale: 'de-DE' }
  t.strictSame(
    (await alice.put('/api/settings', { phone: null, timeZone: 'asia/kolkata', locale: 'de-DE' })).json()
      .data,
    changed,
    'the name of a zone is written as it is known',
  )
  t.strictSame((await alice.put('/api/settings', {})).json().data, changed)
  t.strictSame((await alice.get('/api/settings')).json().data, changed)
  t.strictSame((await mallory.get('/api/settings')).json().data, defaults)
})

t.test('what is not right changes nothing', async (t) => {
  const { alice } = await startApp(t)
  for (const [body, path] of [
    [{ currency: 'EUR' }, '/currency'],
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

t.test(
  'what a merchant has changed stays, whatever the platform says, and the rest follows it',
  async (t) => {
    const { db, alice } = await startApp(t)
    const tell = (name: string, timeZone: string) =>
      db.transaction((tx) =>
        takeShopFacts(tx, alice.shopId, { name, email: `${name}@example.com`, currency: 'EUR', timeZone }),
      )
    const settings = async () => (await alice.get('/api/settings')).json().data
    await tell('one', 'Europe/Paris')
    await alice.put('/api/settings', { companyName: null, timeZone: 'Asia/Tokyo' })
    await tell('two', 'Europe/Madrid')
    t.match(await settings(), { companyName: '', email: 'two@example.com', timeZone: 'Asia/Tokyo' })
    await alice.put('/api/settings', { companyName: 'two' })
    await tell('three', 'Europe/Madrid')
    t.match(await settings(), { companyName: 'three' }, 'what the platform says is not a change')
  },
)

t.test('in another time zone what is computed by days is computed anew', async (t) => {
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

const tell = async (db: Parameters<typeof makeStock>[0], { shopId }: Person, ...inUse: number[]) =>
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

t.test('goods arrive where the merchant says, and a sync does not undo that', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 1, locations: 2 })
  await tell(db, alice, 1, 2)
  const second = gidOf('Location', 2)
  const chosen = await alice.put('/api/settings', { defaultLocationId: second })
  t.match(chosen.json().data, { defaultLocationId: second })
  await tell(db, alice, 1, 2)
  t.strictSame(await primaryOf(alice), [second])

  const order = await makeSentOrder(alice, { lineItems: [line(1, { quantity: 2 })] })
  t.equal((await receive(alice, order.id, [2])).statusCode, 200)
  t.match(await receiptsOf(alice, order.id), [{ locationId: second }])
  t.match(await readOrder(alice, order.id), { status: 'received' })

  await tell(db, alice, 1)
  t.strictSame(await primaryOf(alice), [gidOf('Location', 1)], 'while it is out of use, the platform’s')
  t.match((await alice.get('/api/settings')).json().data, { defaultLocationId: second })
  await tell(db, alice, 1, 2)
  t.strictSame(await primaryOf(alice), [second])

  await alice.put('/api/settings', { companyName: 'Alice' })
  t.strictSame(await primaryOf(alice), [second], 'other settings do not touch it')
  t.match((await alice.put('/api/settings', { defaultLocationId: null })).json().data, {
    defaultLocationId: null,
  })
  t.strictSame(await primaryOf(alice), [gidOf('Location', 1)])
})

t.test('a location that is not there, not in use or of another shop cannot be chosen', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  await makeStock(db, mallory, { variants: 1, locations: 3 })
  await makeStock(db, alice, { variants: 1, locations: 2 })
  await tell(db, alice, 1)
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
