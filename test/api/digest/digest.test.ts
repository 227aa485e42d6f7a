import t from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { unsubscribe } from '../../../shared/domain/views/digest/unsubscribe.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { firstDayOf } from '../../support/make/digests.ts'
import { insertRule } from '../../support/make/reorder.ts'
import { setTimeZone } from '../../support/make/sales.ts'
import { makeStock } from '../../support/make/stock.ts'

const off = { enabled: false, hour: 8, recipients: [], version: 1, last: null }
const buyer = 'buyer@kestrel.example.com'

t.test('the digest is off until the merchant turns it on', async (t) => {
  const { alice, mallory } = await startApp(t)
  t.strictSame((await alice.get('/api/digest')).json().data, off)
  const on = { enabled: true, hour: 17, recipients: [buyer, 'owner@kestrel.example.com'] }
  t.strictSame((await alice.put('/api/digest', on)).json().data, { ...on, version: 2, last: null })
  const changed = { ...on, hour: 0, version: 3, last: null }
  t.strictSame((await alice.put('/api/digest', { hour: 0 })).json().data, changed)
  t.strictSame((await alice.get('/api/digest')).json().data, changed)
  t.strictSame((await mallory.get('/api/digest')).json().data, off, "another shop's settings are its own")
})

t.test('a page from before an unsubscription does not add the recipient again', async (t) => {
  const { db, alice } = await startApp(t)
  const recipients = [buyer, 'owner@kestrel.example.com']
  const { version } = (await alice.put('/api/digest', { enabled: true, recipients })).json().data
  await unsubscribe(db, alice.shopId, buyer, new Date())
  const stale = await alice.put('/api/digest', {
    recipients: [...recipients, 'third@kestrel.example.com'],
    version,
  })
  expectFailure(t, stale, 409, 'stale_version')
  const now = (await alice.get('/api/digest')).json().data
  t.match(now, { recipients: ['owner@kestrel.example.com'], version: version + 1 })
  t.match((await alice.put('/api/digest', { recipients, version: now.version })).json().data, { recipients })
})

t.test('bad settings are refused, with the field and its rule', async (t) => {
  const { alice } = await startApp(t)
  const bad: [body: object, path: string][] = [
    [{ hour: 24 }, '/hour'],
    [{ hour: 8.5 }, '/hour'],
    [{ hour: null }, '/hour'],
    [{ enabled: 'yes' }, '/enabled'],
    [{ version: 0 }, '/version'],
    [{ recipients: ['no address'] }, '/recipients/0'],
    [{ recipients: [buyer, 'a@b.example\r\nBcc: x@y.example'] }, '/recipients/1'],
    [{ recipients: [buyer, buyer.toUpperCase()] }, '/recipients/1'],
    [{ recipients: Array.from({ length: 6 }, (_, at) => `a${at}@kestrel.example.com`) }, '/recipients'],
    [{ other: 1 }, '/other'],
  ]
  for (const [body, path] of bad) {
    const error = expectFailure(t, await alice.put('/api/digest', body), 400, 'invalid_request', path)
    t.match(error.details, [{ path }])
  }
  const refused = await alice.put('/api/digest', { enabled: true })
  t.match(expectFailure(t, refused, 422, 'digest_without_recipients').details, [{ path: '/recipients' }])
  t.strictSame((await alice.get('/api/digest')).json().data, off)
})

t.test(
  'the preview has what the digest of this moment would have, and nothing of another shop',
  async (t) => {
    const { db, alice, mallory } = await startApp(t)
    await makeStock(db, alice, { available: 1 })
    await insertRule(db, alice)
    t.strictSame((await alice.get('/api/digest/preview')).json().data, {
      subject: 'Quartermaster: 1 product low',
      sections: [
        {
          name: 'low_stock',
          title: 'Low stock',
          total: 1,
          lines: [{ text: 'Mug 1 - Size 1 (SKU-1): 1 in stock, reorder point 5', isNew: true }],
        },
      ],
      isNew: true,
    })
    t.strictSame((await mallory.get('/api/digest/preview')).json().data, {
      subject: 'Quartermaster: nothing needs attention',
      sections: [],
      isNew: false,
    })
  },
)

t.test('a section has at most 20 lines, and counts all', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { available: 1, variants: 23 })
  for (let variant = 1; variant <= 23; variant += 1) await insertRule(db, alice, { variant })
  const { sections } = (await alice.get('/api/digest/preview')).json().data
  t.match(sections, [{ name: 'low_stock', total: 23 }])
  t.equal(sections[0].lines.length, 20)
})

t.test('a digest that is turned on after its hour begins the next day', async (t) => {
  const { db, alice } = await startApp(t)
  const readDays = async (hour: number) => {
    await db.query(sql.typeAlias('void')`delete from digest_setting where shop_id = ${alice.shopId}`)
    await alice.put('/api/digest', { enabled: true, hour, recipients: [buyer] })
    return firstDayOf(db, alice)
  }
  // Etc/GMT-14 is 14 hours ahead of UTC, Etc/GMT+12 12 hours behind
  for (const timeZone of ['UTC', 'Etc/GMT-14', 'Etc/GMT+12', 'Asia/Kathmandu']) {
    await setTimeZone(db, alice, timeZone)
    const hour = Number(new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit' }).format())
    const today = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format()
    t.ok((await readDays(0)) > today, `${timeZone}: hour 0 has begun`)
    if (hour < 22) t.equal(await readDays(hour + 2), today, `${timeZone}: hour ${hour + 2} is to come`)
  }
})
