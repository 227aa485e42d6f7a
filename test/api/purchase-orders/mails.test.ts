import { createHash } from 'node:crypto'
import t, { type Test } from 'tap'
import { type Db, sql } from '../../../shared/db/db.ts'
import { upsertLocations } from '../../../shared/domain/records/catalogue/locations.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { readPdf } from '../../shared/pdf/read-pdf.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { enqueued, startTasks } from '../../support/core/worker.ts'
import { gidOf } from '../../support/make/catalogue.ts'
import {
  line,
  mailsOf,
  makeMailedOrder,
  makeOrder,
  makeSentOrder,
  makeSupplier,
  pdfSha256,
  readOrder,
} from '../../support/make/orders.ts'

const dock = {
  ...{ address1: 'Gate 4', address2: '14 Dock Road', city: 'Portland', province: 'Oregon' },
  ...{ zip: '97203', country: 'United States', countryCode: 'US', phone: '+1 503 555 0177' },
}

const hashOf = (file: Buffer) => createHash('sha256').update(file).digest('hex')
const getPdf = (person: Person, id: number, mailId: number) =>
  person.get(`/api/purchase-orders/${id}/mails/${mailId}/pdf`)

const storeLocation = (db: Db, { shopId }: Person, number: number, fields: object) =>
  db.transaction((tx) =>
    upsertLocations(tx, shopId, [
      {
        gid: gidOf('Location', number),
        name: `Place ${number}`,
        isActive: true,
        isPrimary: number === 1,
        ...fields,
      },
    ]),
  )

/** Alice's draft of an order to the second of her two locations, and a worker with a mail service. */
async function start(t: Test) {
  const { db, alice, mallory } = await startApp(t)
  const { platform, perform } = await startTasks(t, db)
  await storeLocation(db, alice, 1, { name: 'Office' })
  await storeLocation(db, alice, 2, { name: 'Harbour warehouse', address: dock })
  await alice.put('/api/settings', {
    companyName: 'Northwind',
    address: '120 Harbour Street\nPortland, OR 97201',
    phone: '+1 503 555 0100',
  })
  const supplierId = await makeSupplier(alice, {
    name: 'Acme & Co',
    address: 'Mill Lane 3\nLeeds',
    paymentTerms: 'Net 30',
  })
  const order = await makeOrder(alice, {
    supplierId,
    destinationLocationId: gidOf('Location', 2),
    expectedAt: '2026-12-24T12:00:00Z',
    supplierNotes: 'Ring twice',
    lineItems: [line(1, { title: 'Blue mug', quantity: 3, costPrice: 2.5 })],
  })
  return {
    ...{ db, alice, mallory, platform, order, supplierId },
    send: async (body?: object) => {
      const answer = await alice.post(`/api/purchase-orders/${order.id}/send`, body)
      if (answer.statusCode !== 200) throw new Error(answer.body)
    },
    /** Runs the newest job of the shop's mails once. Returns its error, or undefined. */
    mail: async () => {
      const payload = (await enqueued(db, jobs.sendPurchaseOrder, alice.shopId)).at(-1)
      if (!payload) throw new Error('no job was enqueued')
      return perform(jobs.sendPurchaseOrder, payload).then(
        () => undefined,
        (error: Error) => error.message,
      )
    },
    attachments: () =>
      platform.mails().map(({ Attachments: [file] }) => Buffer.from(file?.Content ?? '', 'base64')),
    mails: async () => (await readOrder(alice, order.id)).mails,
    /** Gives supplier, company, destination and order other names and addresses. */
    changeEverything: async () => {
      await alice.put(`/api/suppliers/${supplierId}`, {
        ...{ name: 'Acme Holding', address: 'Ring Road 9\nYork', paymentTerms: 'Net 90' },
      })
      await alice.put('/api/settings', { companyName: 'Southwind', address: '1 Other Street', phone: '+1 1' })
      await storeLocation(db, alice, 2, {
        name: 'Airport warehouse',
        address: { ...dock, address1: 'Hangar 2', phone: '+1 2' },
      })
      await alice.put(`/api/purchase-orders/${order.id}`, {
        ...{ supplierNotes: 'Do not ring', expectedAt: '2027-01-31T12:00:00Z' },
      })
    },
  }
}

const before = ['Acme & Co', 'Mill Lane 3', 'Net 30', 'Northwind', '120 Harbour Street', 'Harbour warehouse']
const after = ['Acme Holding', 'Ring Road 9', 'Net 90', 'Southwind', '1 Other Street', 'Airport warehouse']

t.test('the PDF says where to deliver, who pays and when it is due', async (t) => {
  const { alice, order } = await start(t)
  const { text } = await readPdf((await alice.get(`/api/purchase-orders/${order.id}/pdf`)).rawPayload)
  t.match(
    text.replaceAll('\n', '|'),
    /SHIP TO\|Harbour warehouse\|Gate 4\|14 Dock Road\|Portland, Oregon 97203\|United States\|\+1 503 555 0177\|/,
  )
  t.match(
    text.replaceAll('\n', '|'),
    'BILL TO|Northwind|120 Harbour Street|Portland, OR 97201|+1 503 555 0100|',
  )
  t.match(text, /Expected date\nDecember 24, 2026\nPayment terms\nNet 30/)
})

t.test('an order without a destination is delivered to the primary location', async (t) => {
  const { db, alice } = await startApp(t)
  const { id } = await makeOrder(alice)
  const shipTo = async () => {
    const { text } = await readPdf((await alice.get(`/api/purchase-orders/${id}/pdf`)).rawPayload)
    return /SHIP TO\n(.*)\n/.exec(text)?.[1]
  }
  t.equal(await shipTo(), undefined, 'the shop has no location yet')
  await storeLocation(db, alice, 2, { name: 'Shed' })
  await storeLocation(db, alice, 1, { name: 'Office' })
  t.equal(await shipTo(), 'Office')
})

t.test('the PDF of a mail stays as it was mailed, byte by byte', async (t) => {
  const { alice, order, send, mail, mails, attachments, changeEverything } = await start(t)
  await send()
  await mail()
  const [first] = await mails()
  const [attachment = Buffer.alloc(0)] = attachments()
  t.match(first, {
    ...{ kind: 'purchase_order', recipients: ['orders@acme.example.com'], status: 'sent', sentAt: /Z$/ },
    pdfSha256: hashOf(attachment),
  })
  await changeEverything()

  const answer = await getPdf(alice, order.id, first?.id ?? 0)
  t.equal(answer.statusCode, 200)
  t.equal(answer.headers['content-type'], 'application/pdf')
  t.equal(answer.headers['content-disposition'], `inline; filename="${order.poNumber}.pdf"`)
  t.ok(answer.rawPayload.equals(attachment), 'it is the attachment')
  const { text } = await readPdf(answer.rawPayload)
  for (const words of [...before, 'Gate 4', 'Ring twice', 'December 24, 2026'])
    t.ok(text.includes(words), words)
  for (const words of after) t.notOk(text.includes(words), words)

  const now = await readPdf((await alice.get(`/api/purchase-orders/${order.id}/pdf`)).rawPayload)
  for (const words of after)
    t.ok(now.text.includes(words), `${words} is in the PDF of the order as it is now`)

  await send({ resend: true })
  await mail()
  const [second, ...earlier] = await mails()
  t.match(earlier, [first], 'the newest mail comes first, and the older one is unchanged')
  const resent = await getPdf(alice, order.id, second?.id ?? 0)
  t.ok(attachments()[1]?.equals(resent.rawPayload))
  t.ok((await readPdf(resent.rawPayload)).text.includes('Acme Holding'))
})

t.test('a retry mails the order as it was when the merchant sent it', async (t) => {
  const { platform, send, mail, mails, attachments, changeEverything } = await start(t)
  await send()
  platform.faults.set({ mails: [{ fault: 'answer-429' }] })
  t.match(await mail(), 'answered 429')
  const [refused] = await mails()
  t.match(refused, { status: 'queued', sentAt: null, pdfSha256: /^[0-9a-f]{64}$/ })
  await changeEverything()
  t.equal(await mail(), undefined)
  const [attachment = Buffer.alloc(0), ...others] = attachments()
  t.strictSame(others, [])
  t.equal(hashOf(attachment), refused?.pdfSha256, 'the second request has the bytes of the first one')
  const { text } = await readPdf(attachment)
  for (const words of before) t.ok(text.includes(words), words)
  t.match(
    platform.mails()[0]?.TextBody,
    /Dear Acme & Co,[\s\S]*December 24, 2026[\s\S]*Ring twice[\s\S]*Northwind/,
  )
})

t.test('a mail that was not rendered has no PDF, and the answer says why', async (t) => {
  const { alice } = await startApp(t)
  const noAddress = await makeSentOrder(alice, { supplierId: await makeSupplier(alice, { email: null }) })
  const [unsent] = (await readOrder(alice, noAddress.id)).mails
  t.match(unsent, { recipients: [], status: 'no_recipient', sentAt: null, pdfSha256: null })
  const refusal = expectFailure(t, await getPdf(alice, noAddress.id, unsent?.id ?? 0), 409, 'no_snapshot')
  t.match(refusal.message, /there was no address/)

  const queued = await makeSentOrder(alice)
  const [waiting] = (await readOrder(alice, queued.id)).mails
  t.match(waiting, {
    recipients: ['orders@acme.example.com'],
    status: 'queued',
    sentAt: null,
    pdfSha256: null,
  })
  const early = expectFailure(t, await getPdf(alice, queued.id, waiting?.id ?? 0), 409, 'no_snapshot')
  t.match(early.message, /has not been sent yet/)

  await alice.post(`/api/purchase-orders/${queued.id}/cancel`)
  expectFailure(t, await getPdf(alice, queued.id, waiting?.id ?? 0), 409, 'no_snapshot')
  t.strictSame((await readOrder(alice, (await makeOrder(alice)).id)).mails, [])
})

t.test('a mail that the previous release has sent has no PDF', async (t) => {
  const { db, alice } = await startApp(t)
  const { id, mailId } = await makeMailedOrder(db, alice)
  const forget = (column: 'content' | 'pdf_sha256') =>
    db.query(sql.typeAlias('void')`
      update outgoing_mail set ${sql.identifier([column])} = null where shop_id = ${alice.shopId}
    `)
  t.equal((await getPdf(alice, id, mailId)).statusCode, 200)
  // the worker of the previous release has sent a mail that web of this release has queued
  await forget('pdf_sha256')
  expectFailure(t, await getPdf(alice, id, mailId), 409, 'no_snapshot')
  await forget('content')
  const { message } = expectFailure(t, await getPdf(alice, id, mailId), 409, 'no_snapshot')
  t.match(message, /was not kept\. Open the PDF of the order instead/)
  t.match((await readOrder(alice, id)).mails, [{ id: mailId, status: 'sent', sentAt: /Z$/, pdfSha256: null }])
})

t.test('a mail that the previous release has queued gets its snapshot from its first attempt', async (t) => {
  const { db, alice, order, platform, send, mail, mails, attachments, changeEverything } = await start(t)
  await send()
  await db.query(sql.typeAlias('void')`
    update outgoing_mail set content = null where shop_id = ${alice.shopId}
  `)
  platform.faults.set({ mails: [{ fault: 'answer-429' }] })
  t.match(await mail(), 'answered 429')
  await changeEverything()
  t.equal(await mail(), undefined)
  const [sent] = await mails()
  const answer = await getPdf(alice, order.id, sent?.id ?? 0)
  t.ok(attachments()[0]?.equals(answer.rawPayload))
  t.ok((await readPdf(answer.rawPayload)).text.includes('Acme & Co'))
})

t.test('a snapshot of the first release that kept them is readable', async (t) => {
  const { db, alice } = await startApp(t)
  const { id, mailId } = await makeMailedOrder(db, alice)
  // Never change this text: such rows exist. Add one for each release that changes the document.
  const stored = `{
    "asOf": "2026-11-22T13:00:00.123Z", "poNumber": "PO-00007", "status": "sent",
    "orderedAt": "2026-11-22T13:00:00.123Z", "expectedAt": null, "locale": "en-GB", "timeZone": "Europe/London",
    "currency": "GBP", "shop": { "name": "Kestrel", "address": "1 High Street", "email": "a@kestrel.example", "phone": "" },
    "supplier": { "name": "Old Mill", "address": "", "email": "", "phone": "", "contactName": "Bo", "paymentTerms": "" },
    "shipTo": null, "lines": [{ "sku": "A-1", "title": "Mug", "quantity": 2, "costPrice": 1.2345, "lineTotal": 2.47 }],
    "subtotal": 2.47, "tax": 0, "total": 2.47, "supplierNotes": ""
  }`
  await db.query(sql.typeAlias('void')`
    update outgoing_mail set content = ${stored}::jsonb where shop_id = ${alice.shopId} and id = ${mailId}
  `)
  const answer = await getPdf(alice, id, mailId)
  t.equal(answer.statusCode, 200)
  const { text } = await readPdf(answer.rawPayload)
  t.not(hashOf(answer.rawPayload), pdfSha256, 'the content is answered also when its file is another one')
  for (const words of ['PO-00007', 'Old Mill', 'Attn: Bo', '£1.2345', '22 November 2026'])
    t.ok(text.includes(words), words)
})

t.test('an order lists its newest 50 mails', async (t) => {
  const { db, alice } = await startApp(t)
  const { id } = await makeMailedOrder(db, alice)
  await db.query(sql.typeAlias('void')`
    insert into outgoing_mail (shop_id, purchase_order_id, send_no, recipient, state, created_by, settled_at)
    select ${alice.shopId}, ${id}, number, 'orders@acme.example.com', 'failed', 'alice', now()
    from generate_series(2, 52) as number
  `)
  const { mails } = await readOrder(alice, id)
  const newest = (await mailsOf(db, alice, id)).toReversed().slice(0, 50)
  t.strictSame(
    mails.map((mail) => mail.id),
    newest.map((mail) => mail.id),
  )
})

t.test('another shop, another order and an unknown mail are not found', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  const { id, mailId } = await makeMailedOrder(db, alice)
  const other = await makeMailedOrder(db, alice)
  const own = await makeMailedOrder(db, mallory)
  t.equal((await getPdf(alice, id, mailId)).statusCode, 200)
  for (const [orderId, of] of [
    [id, mailId],
    [own.id, mailId],
    [id, own.mailId],
  ] as const) {
    expectFailure(t, await getPdf(mallory, orderId, of), 404, 'not_found')
  }
  expectFailure(t, await getPdf(alice, other.id, mailId), 404, 'not_found', 'a mail of another order')
  expectFailure(t, await getPdf(alice, id, 999_999_999), 404, 'not_found')
  expectFailure(t, await alice.get(`/api/purchase-orders/${id}/mails/x/pdf`), 400, 'invalid_request')
  t.strictSame(
    (await readOrder(mallory, own.id)).mails.map((mail) => mail.id),
    [own.mailId],
  )
})
