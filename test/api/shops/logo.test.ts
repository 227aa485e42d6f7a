import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import t from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { getOrderDocument } from '../../../shared/domain/documents/purchase-orders/mail/document.ts'
import { encodeLogo } from '../../../shared/domain/records/shops/encode-logo.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { readPdf } from '../../shared/pdf/read-pdf.ts'
import { findRoles, readStructure } from '../../shared/pdf/read-structure.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { enqueued, startTasks } from '../../support/core/worker.ts'
import { line, makeOrder, makeSupplier, readOrder } from '../../support/make/orders.ts'

type Format = 'png' | 'jpeg' | 'webp' | 'gif' | 'tiff' | 'avif'

const pictureOf = (width: number, height: number, { format = 'png' as Format, color = '#0b6e4f' } = {}) =>
  sharp({ create: { width, height, channels: 4, background: color } })
    .toFormat(format)
    .toBuffer()

const upload = (person: Person, bytes: Buffer) =>
  person.post('/api/settings/logo', { content: bytes.toString('base64') })
const logoOf = async (person: Person) => (await person.get('/api/settings')).json().data.logo
const fileOf = (person: Person) => person.get('/api/settings/logo/file')
const hasLogo = async (file: Buffer) => findRoles((await readStructure(file)).roots, 'Figure').length > 0

/** A PNG whose head says any size, with few bytes of pixels. */
function bombOf(width: number, height: number): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 6, 0, 0, 0], 8)
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crcOf(body))
    return Buffer.concat([length, body, sum])
  }
  const pixels = deflateSync(Buffer.alloc(5_000_000))
  const magic = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([magic, chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

function crcOf(bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}

t.test('a logo is encoded again, shown, replaced and removed', async (t) => {
  const { alice } = await startApp(t)
  t.equal(await logoOf(alice), null)
  expectFailure(t, await fileOf(alice), 404, 'not_found')

  for (const format of ['png', 'jpeg', 'webp'] as const) {
    const answer = await upload(
      alice,
      await pictureOf(1200, 300, { format, color: `#${format.length}0a0a0` }),
    )
    t.equal(answer.statusCode, 200, format)
    const { data } = answer.json()
    t.match(data, { width: 640, height: 160, createdAt: /Z$/ })
    t.strictSame(await logoOf(alice), data)
    const file = await fileOf(alice)
    t.match(file.headers, {
      'content-type': 'image/png',
      'content-disposition': "attachment; filename*=UTF-8''logo.png",
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
      etag: /^"[0-9a-f]{64}"$/,
    })
    t.equal(file.rawPayload.length, data.size)
    const { format: stored, width, height, hasAlpha } = await sharp(file.rawPayload).metadata()
    t.match({ stored, width, height, hasAlpha }, { stored: 'png', width: 640, height: 160, hasAlpha: false })
  }

  t.match((await alice.delete('/api/settings/logo')).json().data, { message: 'Logo removed.' })
  t.equal(await logoOf(alice), null)
  expectFailure(t, await alice.delete('/api/settings/logo'), 404, 'not_found')
})

t.test('no byte of the given file is stored: not its metadata, and not what follows it', async (t) => {
  const { alice } = await startApp(t)
  const secret = 'GPS 51.5 N; <script>alert(1)</script>'
  const picture = await sharp(await pictureOf(300, 100, { format: 'jpeg' }))
    .withExif({ IFD0: { Copyright: secret } })
    .jpeg()
    .toBuffer()
  const given = Buffer.concat([picture, Buffer.from(secret)])
  t.ok(given.includes('<script>'))
  t.equal((await upload(alice, given)).statusCode, 200)
  const { rawPayload } = await fileOf(alice)
  t.notOk(rawPayload.includes('<script>') || rawPayload.includes('GPS'))
})

t.test('a transparent logo is printed on white', async (t) => {
  const { alice } = await startApp(t)
  await upload(alice, await pictureOf(10, 10, { color: 'rgba(0, 0, 0, 0)' }))
  const pixels = await sharp((await fileOf(alice)).rawPayload)
    .raw()
    .toBuffer()
  t.ok(pixels.every((value) => value === 255))
  t.match(await logoOf(alice), { width: 10, height: 10 }, 'a small logo is not made larger')
})

t.test('what is too large, no picture or damaged is refused by name and changes nothing', async (t) => {
  const { alice } = await startApp(t)
  await upload(alice, await pictureOf(20, 20))
  const before = await logoOf(alice)
  const whole = await pictureOf(900, 900, { format: 'jpeg' })
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>'
  for (const [name, bytes, code, message] of [
    [
      'too many bytes',
      Buffer.concat([whole, Buffer.alloc(1024 * 1024 + 500 - whole.length)]),
      'logo_too_large',
      /^is 1\.0 MiB, more than 1 MiB$/,
    ],
    [
      'a bomb',
      bombOf(60_000, 60_000),
      'logo_too_large',
      /^is 60000 × 60000 pixels, more than 2000 on a side$/,
    ],
    ['too wide', await pictureOf(2001, 10), 'logo_too_large', /^is 2001 × 10 pixels/],
    ['SVG', Buffer.from(svg), 'unsupported_logo', /not a PNG, JPEG or WebP/],
    ['GIF', await pictureOf(9, 9, { format: 'gif' }), 'unsupported_logo', /not a PNG/],
    ['TIFF', await pictureOf(9, 9, { format: 'tiff' }), 'unsupported_logo', /not a PNG/],
    ['AVIF', await pictureOf(9, 9, { format: 'avif' }), 'unsupported_logo', /not a PNG/],
    ['PDF', Buffer.from('%PDF-1.7\n1 0 obj\n'), 'unsupported_logo', /not a PNG/],
    ['half a file', whole.subarray(0, whole.length / 2), 'broken_logo', /damaged or incomplete/],
    ['missing pixels', bombOf(1_900, 1_900), 'broken_logo', /damaged or incomplete/],
  ] as const) {
    const { details } = expectFailure(t, await upload(alice, bytes), 422, code, name)
    t.match(details, [{ path: '/content', message }], name)
  }
  for (const content of ['', '%%%', 'AAA', 'AA AA'])
    expectFailure(t, await alice.post('/api/settings/logo', { content }), 400, 'invalid_request')
  const huge = await alice.post('/api/settings/logo', { content: 'A'.repeat(3_000_000) })
  t.equal(huge.statusCode, 413)
  t.match(huge.json(), { error: { message: /at most 1 MiB/ } })
  t.strictSame(await logoOf(alice), before)
})

t.test('of many large pictures one is decoded at a time, 5 wait and the others are refused', async (t) => {
  const picture = await sharp({ create: { width: 2000, height: 2000, channels: 4, background: '#abc' } })
    .png({ progressive: true })
    .toBuffer()
  const content = picture.toString('base64')
  const seen = new Set<number>()
  const watch = setInterval(() => seen.add(sharp.counters().process), 1)
  const results = await Promise.allSettled(Array.from({ length: 30 }, () => encodeLogo(content)))
  clearInterval(watch)
  const refused = results.filter((result) => result.status === 'rejected')
  t.equal(refused.length, 30 - 1 - 5)
  for (const { reason } of refused)
    t.match(reason, { kind: 'unavailable', message: /Too many logos are being stored/ })
  t.ok(seen.has(1), 'a picture was seen being decoded')
  t.equal(Math.max(...seen), 1)
})

t.test('another shop neither sees nor changes a logo', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  await upload(alice, await pictureOf(40, 20))
  const logo = await logoOf(alice)
  t.equal(await logoOf(mallory), null)
  expectFailure(t, await fileOf(mallory), 404, 'not_found')
  expectFailure(t, await mallory.delete('/api/settings/logo'), 404, 'not_found')
  const { id } = await makeOrder(mallory)
  t.equal((await getOrderDocument(db, mallory.shopId, id)).shop.logoId, undefined)
  const sample = async (person: Person) => (await person.get('/api/settings/sample-order.pdf')).rawPayload
  t.notOk(await hasLogo(await sample(mallory)))
  t.ok(await hasLogo(await sample(alice)))
  await upload(mallory, await pictureOf(50, 25))
  t.strictSame(await logoOf(alice), logo)
})

t.test('the same logo again, or ten at once, leave one', async (t) => {
  const { db, alice } = await startApp(t)
  const picture = await pictureOf(40, 20)
  const { data } = (await upload(alice, picture)).json()
  t.strictSame((await upload(alice, picture)).json().data, data)
  const others = await Promise.all(Array.from({ length: 10 }, (_, at) => pictureOf(40 + at, 20)))
  await Promise.all(others.map((each) => upload(alice, each)))
  const ids = await db.anyFirst(sql.typeAlias('id')`select id from shop_logo where shop_id = ${alice.shopId}`)
  t.equal(ids.length, 1)
  t.match(await logoOf(alice), { id: ids[0] })
})

t.test('what was mailed keeps its logo; a new document has the new one', async (t) => {
  const { db, alice } = await startApp(t)
  const { perform, platform } = await startTasks(t, db)
  await upload(alice, await pictureOf(40, 20, { color: '#111111' }))
  const order = await makeOrder(alice, {
    supplierId: await makeSupplier(alice, { name: 'Acme', email: 'orders@acme.example.com' }),
    lineItems: [line(1)],
  })
  await alice.post(`/api/purchase-orders/${order.id}/send`)
  // the worker sends what the merchant has seen, although the logo is another one by then
  await upload(alice, await pictureOf(60, 30, { color: '#eeeeee' }))
  const [payload] = await enqueued(db, jobs.sendPurchaseOrder, alice.shopId)
  if (!payload) return t.fail('no job was enqueued')
  await perform(jobs.sendPurchaseOrder, payload)
  const [mail] = await platform.mails()
  const mailed = Buffer.from(mail?.Attachments[0]?.Content ?? '', 'base64')
  t.ok(await hasLogo(mailed))
  const pdf = async (path: string) => (await alice.get(`/api/purchase-orders/${order.id}/${path}`)).rawPayload
  const [{ id: mailId } = { id: 0 }] = (await readOrder(alice, order.id)).mails
  t.ok((await pdf(`mails/${mailId}/pdf`)).equals(mailed), 'the file that the supplier has')
  t.notOk((await pdf('pdf')).equals(mailed), 'today’s document has the new logo')

  await alice.delete('/api/settings/logo')
  t.ok((await pdf(`mails/${mailId}/pdf`)).equals(mailed))
  t.notOk(await hasLogo(await pdf('pdf')))
  t.match((await readPdf(await pdf('pdf'))).text, order.poNumber)
  const kept = await db.anyFirst(
    sql.typeAlias('id')`select id from shop_logo where shop_id = ${alice.shopId}`,
  )
  t.equal(kept.length, 1, 'the one that was mailed is kept, the other is not')
})

t.test('a mail without a snapshot keeps the logo of its first attempt', async (t) => {
  const { db, alice } = await startApp(t)
  const { perform, platform } = await startTasks(t, db)
  await upload(alice, await pictureOf(40, 20))
  const { id } = await makeOrder(alice, {
    supplierId: await makeSupplier(alice, { name: 'Acme', email: 'orders@acme.example.com' }),
    lineItems: [line(1)],
  })
  await alice.post(`/api/purchase-orders/${id}/send`)
  await db.query(sql.typeAlias('void')`
    update outgoing_mail set content = null, logo_id = null where shop_id = ${alice.shopId}
  `)
  const [payload] = await enqueued(db, jobs.sendPurchaseOrder, alice.shopId)
  if (!payload) return t.fail('no job was enqueued')
  await perform(jobs.sendPurchaseOrder, payload)
  await alice.delete('/api/settings/logo')
  const [mail] = await platform.mails()
  const [{ id: mailId } = { id: 0 }] = (await readOrder(alice, id)).mails
  const { rawPayload } = await alice.get(`/api/purchase-orders/${id}/mails/${mailId}/pdf`)
  t.ok(await hasLogo(rawPayload))
  t.ok(rawPayload.equals(Buffer.from(mail?.Attachments[0]?.Content ?? '', 'base64')))
})
