import { createHash } from 'node:crypto'
import t, { type Test } from 'tap'
import { buildApp } from '../../../api/app.ts'
import { recordStatements } from '../../../dev/postgres/statements.ts'
import { sql } from '../../../shared/db/db.ts'
import { createPdfRenderer } from '../../../shared/pdf/renderer.ts'
import type { Attachment, AttachmentInput } from '../../../shared/schemas/attachments.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { fileDatabase, openTestDb, testConfig } from '../../support/core/database.ts'
import { recordedLog } from '../../support/core/outputs.ts'
import { makePerson, type Person, readPages } from '../../support/core/people.ts'
import { attachment, makeAttachment, png } from '../../support/make/attachments.ts'
import { line, makeOrder, makeSentOrder, receiptsOf, receive } from '../../support/make/orders.ts'
import { makeCount, makeStock, makeTransfer } from '../../support/make/stock.ts'
import { makeReturn } from '../../support/make/supplier-returns.ts'

const mebibyte = 1024 * 1024

const upload = (person: Person, subjectId: number, fields: Partial<AttachmentInput> = {}) =>
  person.post('/api/attachments', attachment({ subject: 'purchase_order', subjectId, ...fields }))

const listOf = async (
  person: Person,
  subjectId: number,
  subject = 'purchase_order',
): Promise<Attachment[]> => {
  const response = await person.get(`/api/attachments?subject=${subject}&subjectId=${subjectId}`)
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json().data
}

/** Bytes that begin as a file of a type does, filled to a size. */
const fileOf = (start: string | Buffer, bytes: number) => {
  const file = Buffer.alloc(bytes)
  Buffer.from(start).copy(file)
  return file.toString('base64')
}

const pdf = '%PDF-1.7\n%âãÏÓ\n1 0 obj\n<</Type/Catalog>>\nendobj\n'
const jpeg = Buffer.from([
  0xff, 0xd8, 0xff, 0xe0, 0, 0x10, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0,
])

t.test('each document can have files, which are listed newest first', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { locations: 2 })
  const order = await makeSentOrder(alice, { lineItems: [line(1, { quantity: 2 })] })
  await receive(alice, order.id, [1])
  const subjects = {
    purchase_order: order.id,
    receipt: (await receiptsOf(alice, order.id))[0]?.id ?? 0,
    supplier_return: await makeReturn(alice),
    stock_transfer: await makeTransfer(alice),
    stock_count: await makeCount(alice),
  } as const
  for (const [subject, subjectId] of Object.entries(subjects)) {
    const added = await upload(alice, subjectId, {
      subject: subject as keyof typeof subjects,
      name: `${subject}.png`,
    })
    t.equal(added.statusCode, 201, added.body)
    const expected = {
      subject,
      subjectId,
      name: `${subject}.png`,
      mediaType: 'image/png',
      size: png.length,
      sha256: createHash('sha256').update(png).digest('hex'),
      createdBy: alice.userId,
    }
    t.match(added.json().data, expected)
    t.strictSame(await listOf(alice, subjectId, subject), [added.json().data])
  }
  await upload(alice, order.id, { name: 'second.png' })
  t.strictSame(
    (await listOf(alice, order.id)).map(({ name }) => name),
    ['second.png', 'purchase_order.png'],
  )
  const names = async (query: string) =>
    (await alice.get(`/api/attachments${query}`)).json().data.map(({ name }: Attachment) => name)
  t.strictSame(await names('?subject=receipt'), ['receipt.png'])
  t.equal((await names('')).length, 6, 'all files of the shop')
  t.equal((await readPages(alice, '/api/attachments?limit=4')).flat().length, 6)
  const alone = await alice.get(`/api/attachments?subjectId=${order.id}`)
  t.match(expectFailure(t, alone, 400, 'invalid_request').details, [{ path: '/subject' }])
  const { details } = expectFailure(t, await upload(alice, 999_999), 422, 'unknown_subject')
  t.strictSame(details, [{ path: '/subjectId', message: 'is not a purchase order of this shop' }])
})

t.test('the bytes decide what a file is, and its name gets their extension', async (t) => {
  const { alice } = await startApp(t)
  const { id } = await makeOrder(alice)
  const webp = Buffer.concat([Buffer.from('RIFF'), Buffer.from([26, 0, 0, 0]), Buffer.from('WEBPVP8L')])
  for (const [name, start, mediaType, stored] of [
    ['delivery.pdf', pdf, 'application/pdf', 'delivery.pdf'],
    ['photo.JPEG', jpeg, 'image/jpeg', 'photo.JPEG'],
    ['photo', jpeg, 'image/jpeg', 'photo.jpg'],
    ['moving.gif', 'GIF89a', 'image/gif', 'moving.gif'],
    ['small.webp', webp, 'image/webp', 'small.webp'],
    ['page.html', pdf, 'application/pdf', 'page.html.pdf'],
    ['C:\\fakepath\\note.pdf', pdf, 'application/pdf', 'note.pdf'],
    ['../../etc/passwd', pdf, 'application/pdf', 'passwd.pdf'],
    ['Lieferschein “7”.pdf', pdf, 'application/pdf', 'Lieferschein “7”.pdf'],
  ] as const) {
    const added = await upload(alice, id, { name, content: fileOf(start, 1_000) })
    t.match(added.json().data, { mediaType, name: stored, size: 1_000 }, name)
  }
})

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'

t.test('files that could run or are something else are refused', async (t) => {
  const { alice } = await startApp(t)
  const { id } = await makeOrder(alice)
  for (const [name, content] of [
    ['box.png', '<!doctype html><script>alert(1)</script>'],
    ['box.png', svg],
    ['box.svg', `<?xml version="1.0"?>${svg}`],
    ['box.pdf', `<html>${pdf}</html>`],
    ['box.gif', 'MZ\u0090\u0000'],
    ['box.jpg', 'PK\u0003\u0004'],
    ['box.png', 'plain text'],
    ['box.png', 'x'],
  ] as const) {
    const refused = await upload(alice, id, { name, content: Buffer.from(content).toString('base64') })
    const { details } = expectFailure(t, refused, 422, 'unsupported_file', content.slice(0, 20))
    t.match(details, [{ path: '/content' }])
  }
  for (const content of ['not base64!', 'aGVsbG8', png.toString('base64url').padEnd(400, '-')]) {
    expectFailure(t, await upload(alice, id, { content }), 400, 'invalid_request', content.slice(0, 20))
  }
  t.strictSame(await listOf(alice, id), [])
})

t.test('a file has at most 2 MiB', async (t) => {
  const { alice } = await startApp(t)
  const { id } = await makeOrder(alice)
  t.equal((await upload(alice, id, { content: fileOf(pdf, 2 * mebibyte) })).statusCode, 201)
  const over = expectFailure(
    t,
    await upload(alice, id, { content: fileOf(pdf, 2 * mebibyte + 1) }),
    422,
    'file_too_large',
  )
  t.match(over.details, [{ path: '/content' }])
  const large = await upload(alice, id, { content: fileOf(pdf, 3 * mebibyte) })
  const { message } = expectFailure(t, large, 413, 'payload_too_large')
  t.equal(message, 'A file can have at most 2 MiB. Make it smaller, or split it.')
  t.equal((await listOf(alice, id)).length, 1)
})

t.test('a document has at most 20 files, also of uploads at the same time', async (t) => {
  const { alice } = await startApp(t)
  const { id } = await makeOrder(alice)
  const answers = await Promise.all(Array.from({ length: 24 }, () => upload(alice, id)))
  const statuses = answers.map(({ statusCode }) => statusCode)
  t.equal(statuses.filter((status) => status === 201).length, 20)
  t.match(expectFailure(t, await upload(alice, id), 409, 'too_many_attachments').message, /20 files/)
  const files = await listOf(alice, id)
  t.equal(files.length, 20)
  t.equal((await alice.delete(`/api/attachments/${files[0]?.id}`)).statusCode, 200)
  t.equal((await upload(alice, id)).statusCode, 201)
})

t.test('a file is served byte for byte, and nothing in it can run', async (t) => {
  const { app, alice } = await startApp(t)
  const id = await makeAttachment(alice, { name: `a"b';\u00e9 (1)*.png` })
  const url = `/api/attachments/${id}/file`
  const response = await alice.get(url)
  t.equal(response.statusCode, 200)
  t.strictSame(response.rawPayload, png)
  t.match(response.headers, {
    'content-type': 'image/png',
    'content-disposition': `attachment; filename*=UTF-8''a%22b%27%3B%C3%A9%20%281%29%2a.png`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    'cache-control': 'private, max-age=3600, immutable',
    'cross-origin-resource-policy': 'same-origin',
    etag: `"${createHash('sha256').update(png).digest('hex')}"`,
  })
  t.equal((await app.inject(url)).statusCode, 401, 'a link without a session token gets nothing')
  const polyglot = Buffer.concat([Buffer.from('GIF89a/*'), Buffer.from('*/=1;alert(1)<script>')])
  const hostile = await makeAttachment(alice, { name: 'x.html', content: polyglot.toString('base64') })
  t.match((await alice.get(`/api/attachments/${hostile}/file`)).headers, {
    'content-type': 'image/gif',
    'content-disposition': "attachment; filename*=UTF-8''x.html.gif",
    'x-content-type-options': 'nosniff',
  })
})

t.test('another shop neither lists, reads, adds nor deletes files', async (t) => {
  const { alice, mallory } = await startApp(t)
  const order = await makeOrder(alice)
  const id = await makeAttachment(alice, { subjectId: order.id })
  t.strictSame(await listOf(mallory, order.id), [])
  expectFailure(t, await mallory.get(`/api/attachments/${id}/file`), 404, 'not_found')
  expectFailure(t, await mallory.delete(`/api/attachments/${id}`), 404, 'not_found')
  expectFailure(t, await upload(mallory, order.id), 422, 'unknown_subject')
  t.equal((await listOf(alice, order.id)).length, 1)
})

t.test('files are deleted with their document, and alone', async (t) => {
  const { db, alice } = await startApp(t)
  const order = await makeOrder(alice)
  const [first] = [await makeAttachment(alice, { subjectId: order.id })]
  await makeAttachment(alice, { subjectId: order.id })
  t.match((await alice.delete(`/api/attachments/${first}`)).json().data, { message: 'File deleted.' })
  expectFailure(t, await alice.get(`/api/attachments/${first}/file`), 404, 'not_found')
  expectFailure(t, await alice.delete(`/api/attachments/${first}`), 404, 'not_found')
  await alice.delete(`/api/purchase-orders/${order.id}`)
  const left = await db.anyFirst(
    sql.typeAlias('id')`select id from attachment where shop_id = ${alice.shopId}`,
  )
  t.strictSame(left, [])
})

/** An app whose SQL statements are recorded. */
async function startRecorded(t: Test) {
  const { db: pool } = await openTestDb(t)
  const { db, statements } = recordStatements(pool)
  const config = testConfig(await fileDatabase())
  const renderer = createPdfRenderer()
  const app = await buildApp({
    config,
    db,
    pdf: renderer,
    log: recordedLog(config, 'web'),
    isStopping: () => false,
  })
  t.teardown(async () => {
    await app.close()
    await renderer.close()
  })
  return { statements, alice: await makePerson(app, pool, 'alice') }
}

t.test('a list reads no bytes', async (t) => {
  const { statements, alice } = await startRecorded(t)
  const order = await makeOrder(alice)
  const id = await makeAttachment(alice, { subjectId: order.id })
  const textsOf = async (act: () => Promise<unknown>) => {
    const before = statements.length
    await act()
    return statements.slice(before).map((statement) => JSON.stringify(statement))
  }
  const listed = await textsOf(() => listOf(alice, order.id))
  t.ok(listed.some((text) => /from attachment/.test(text)))
  t.notOk(listed.some((text) => /\bbytes\b/.test(text)))
  const read = await textsOf(() => alice.get(`/api/attachments/${id}/file`))
  t.ok(
    read.some((text) => /\bbytes\b/.test(text)),
    'only the file itself does',
  )
})
