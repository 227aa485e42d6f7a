import t from 'tap'
import { type Db, sql } from '../../../shared/db/db.ts'
import { advanceMail, startMail } from '../../../shared/domain/documents/purchase-orders/mail/mail.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { readPdf } from '../../shared/pdf/read-pdf.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { enqueued } from '../../support/core/worker.ts'
import {
  line,
  mailsOf,
  makeOrder,
  makeSentOrder,
  makeSupplier,
  readOrder,
} from '../../support/make/orders.ts'

const send = (person: Person, id: number, body: object) =>
  person.post(`/api/purchase-orders/${id}/send`, body)
const preview = async (person: Person, id: number, query = '') =>
  person.get(`/api/purchase-orders/${id}/send-preview${query}`)

t.test('recipients, subject and text are checked, and nothing is mailed on an error', async (t) => {
  const { db, alice } = await startApp(t)
  const { id } = await makeOrder(alice)
  const twenty = Array.from({ length: 20 }, (_, i) => `buyer${i}@acme.example.com`)
  const address = 'must be an e-mail address on one line'
  for (const [body, path, rule] of [
    [{ to: ['a@acme.example.com\nBcc: b@evil.example'] }, '/to/0', address],
    [{ cc: ['x@y.example', 'c@acme.example.com\r\nSubject: x'] }, '/cc/1', address],
    [{ to: ['Bob <bob@acme.example.com>'] }, '/to/0', address],
    [{ to: ['a@b.example, c@d.example'] }, '/to/0', address],
    [{ to: twenty }, '/to', 'must be a list of 1 to 10 e-mail addresses'],
    [{ cc: twenty }, '/cc', 'must be a list of at most 10 e-mail addresses'],
    [{ to: [] }, '/to', 'must be a list of 1 to 10 e-mail addresses'],
    [{ subject: 'Order\nBcc: b@evil.example' }, '/subject', /^must be on one line, at most 300 characters/],
    [{ subject: 'x'.repeat(301) }, '/subject', /at most 300/],
    [{ body: 'x'.repeat(100_000) }, '/body', /^must be at most 10000 characters/],
    [{ body: 'a\u0000b' }, '/body', /without control/],
    [{ attachCsv: 'yes' }, '/attachCsv', 'must be true or false'],
  ] as const) {
    const { details } = expectFailure(t, await send(alice, id, body), 400, 'invalid_request', path)
    t.match(details, [{ path, message: rule }])
  }
  const ofOrder = await alice.put(`/api/purchase-orders/${id}`, { cc: twenty })
  const { details } = expectFailure(t, ofOrder, 400, 'invalid_request')
  t.match(details, [{ path: '/cc', message: 'must be a list of at most 10 e-mail addresses' }])
  t.equal((await readOrder(alice, id)).status, 'draft')
  t.strictSame(await mailsOf(db, alice, id), [])
  t.strictSame(await enqueued(db, jobs.sendPurchaseOrder, alice.shopId), [])
})

t.test('a typed subject has no mark that changes the order of its characters', async (t) => {
  const { alice } = await startApp(t)
  for (const [typed, mailed] of [
    ['Invoice \u202efdp.exe\u2066', 'Invoice fdp.exe'],
    ['\u202e', /^Purchase order PO-/],
  ] as const) {
    const { id } = await makeOrder(alice)
    t.equal((await send(alice, id, { subject: typed })).statusCode, 200)
    t.match((await readOrder(alice, id)).mails, [{ subject: mailed }])
  }
})

t.test('an order keeps what was mailed to which addresses', async (t) => {
  const { alice } = await startApp(t)
  const { id } = await makeOrder(alice)
  const answer = await send(alice, id, {
    to: ['a@acme.example.com', 'A@ACME.example.com', 'b@acme.example.com'],
    cc: ['b@acme.example.com', 'c@acme.example.com'],
    ...{ subject: 'Spring order {{total}}', body: 'Hello\n\n<b>Bob</b> {{nothing}}', attachCsv: true },
  })
  t.equal(answer.statusCode, 200)
  const { mails, emailRecipient } = await readOrder(alice, id)
  const words = {
    ...{ kind: 'purchase_order', status: 'queued', hasCsv: true, subject: 'Spring order {{total}}' },
    recipients: ['a@acme.example.com', 'b@acme.example.com'],
    cc: ['c@acme.example.com'],
  }
  t.match(mails, [words])
  t.equal(emailRecipient, 'a@acme.example.com')
  const read = await alice.get(`/api/purchase-orders/${id}/mails/${mails[0]?.id}`)
  t.match(read.json().data, { ...words, body: 'Hello\n\n<b>Bob</b> {{nothing}}', sentAt: null })
})

t.test('the preview shows what sending would send', async (t) => {
  const { db, alice } = await startApp(t)
  await alice.put('/api/settings', { companyName: 'Northwind', email: 'buying@northwind.example' })
  const supplierId = await makeSupplier(alice, { name: 'Acme {{total}}', email: 'orders@acme.example.com' })
  const { id, poNumber } = await makeOrder(alice, { supplierId })
  await db.query(sql.typeAlias('void')`
    update purchase_order set cc = array['boss@northwind.example'], reference = 'Spring'
    where shop_id = ${alice.shopId} and id = ${id}
  `)
  const { data } = (await preview(alice, id)).json()
  t.match(data, {
    ...{ kind: 'purchase_order', from: '"Northwind via Quartermaster" <orders@quartermaster.example>' },
    ...{
      to: ['orders@acme.example.com'],
      cc: ['boss@northwind.example'],
      replyTo: 'buying@northwind.example',
    },
    subject: `Purchase order ${poNumber} from Northwind`,
    body: /^Dear Acme {{total}},\n\n[\s\S]*Our reference: Spring\nLines: 1\nTotal: \$7\.50\n\nKind regards\n\nNorthwind/,
  })
  t.strictSame(
    data.attachments.map(({ name }: { name: string }) => name),
    [`${poNumber}.pdf`],
  )
  t.ok(data.attachments[0].size > 5_000)
  const { attachments } = (await preview(alice, id, '?attachCsv=true')).json().data
  const csv = await alice.get(`/api/purchase-orders/${id}/csv`)
  t.strictSame(attachments[1], { name: `${poNumber}.csv`, size: csv.rawPayload.byteLength })
  t.equal((await readOrder(alice, id)).status, 'draft')

  await send(alice, id, {})
  const { mails } = await readOrder(alice, id)
  t.match(mails, [{ recipients: data.to, cc: data.cc, subject: data.subject }])
})

t.test(
  'an order without an address has an empty preview recipient, and can be sent to a typed one',
  async (t) => {
    const { alice } = await startApp(t)
    const { id } = await makeOrder(alice, { supplierId: await makeSupplier(alice, { email: null }) })
    t.strictSame((await preview(alice, id)).json().data.to, [])
    await send(alice, id, { to: ['new@acme.example.com'] })
    t.match((await readOrder(alice, id)).mails, [{ status: 'queued', recipients: ['new@acme.example.com'] }])
  },
)

/** The mail service has accepted the newest mail of the order, so that the next one may follow. */
async function deliver(db: Db, person: Person, id: number) {
  const mailId = (await mailsOf(db, person, id)).at(-1)?.id ?? 0
  await startMail(db, person.shopId, mailId, '0'.repeat(64))
  await advanceMail(db, person.shopId, mailId, { state: 'sent', messageId: `message-${mailId}` })
}

async function revise(person: Person, id: number, quantity: number) {
  const { version, lineItems } = await readOrder(person, id)
  const lines = lineItems.map((each) => ({ id: each.id, quantity }))
  const answer = await person.post(`/api/purchase-orders/${id}/revise`, { version, lineItems: lines })
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return readOrder(person, id)
}

t.test('a revision and a resend go to the addresses that the order was sent to', async (t) => {
  const { db, alice } = await startApp(t)
  for (const email of [null, 'orders@acme.example.com']) {
    const { id } = await makeOrder(alice, { supplierId: await makeSupplier(alice, { email }) })
    const typed = { to: ['anna@acme.example.com', 'bob@acme.example.com'], cc: ['boss@shop.example'] }
    await send(alice, id, { ...typed, attachCsv: true })
    await deliver(db, alice, id)
    const mail = { status: 'queued', recipients: typed.to, cc: typed.cc, hasCsv: true }
    t.match((await revise(alice, id, 5)).mails[0], { ...mail, kind: 'revision' })
    await deliver(db, alice, id)
    t.match((await revise(alice, id, 6)).mails[0], { ...mail, kind: 'revision' }, 'and so does the next one')
    await deliver(db, alice, id)
    t.match((await preview(alice, id)).json().data, { ...typed, attachCsv: true, attachments: [{}, {}] })
    t.strictSame((await preview(alice, id, '?attachments=false')).json().data.attachments, [])
    t.match((await preview(alice, id, '?attachCsv=false&attachments=false')).json().data, {
      attachCsv: false,
    })
    await send(alice, id, { resend: true, to: ['carl@acme.example.com'], attachCsv: false })
    t.match((await readOrder(alice, id)).mails[0], { recipients: ['carl@acme.example.com'], cc: typed.cc })
    const last = (await preview(alice, id, '?attachments=false')).json().data
    t.match(last, { to: ['carl@acme.example.com'], attachCsv: false })
  }
})

t.test('addresses that were not typed follow the supplier and the order', async (t) => {
  const { db, alice } = await startApp(t)
  const supplierId = await makeSupplier(alice, { email: 'old@acme.example.com' })
  const { id } = await makeOrder(alice, { supplierId, cc: ['old@shop.example'] })
  await send(alice, id, {})
  await deliver(db, alice, id)
  await alice.put(`/api/suppliers/${supplierId}`, { email: 'new@acme.example.com' })
  await alice.put(`/api/purchase-orders/${id}`, { cc: ['new@shop.example'] })
  const current = { recipients: ['new@acme.example.com'], cc: ['new@shop.example'] }
  t.match((await revise(alice, id, 5)).mails[0], current)
  await deliver(db, alice, id)

  // an earlier release did not store whether the addresses were typed
  await db.query(sql.typeAlias('void')`
    update outgoing_mail
    set is_own_to = null, is_own_cc = null, recipients = null, recipient = 'typed@acme.example.com'
    where shop_id = ${alice.shopId} and purchase_order_id = ${id}
  `)
  t.match((await revise(alice, id, 6)).mails[0], { ...current, recipients: ['typed@acme.example.com'] })
})

t.test('a cancelled order has no preview', async (t) => {
  const { alice } = await startApp(t)
  const { id } = await makeSentOrder(alice)
  await alice.post(`/api/purchase-orders/${id}/cancel`)
  expectFailure(t, await preview(alice, id), 409, 'conflict')
})

t.test('documents are in the language and the currency of the supplier and the order', async (t) => {
  const { db, alice } = await startApp(t)
  const { id, supplierId, poNumber } = await makeOrder(alice, {
    lineItems: [line(1, { quantity: 24, costPrice: 2.5 })],
  })
  await db.query(sql.typeAlias('void')`
    update supplier
    set language = 'de', account_number = 'K-9', tax_id = 'DE1', address_line1 = 'Ring 3', postal_code = '10115',
      city = 'Berlin', country_code = 'DE'
    where shop_id = ${alice.shopId} and id = ${supplierId}
  `)
  await db.query(sql.typeAlias('void')`
    update purchase_order_line set supplier_sku = 'AC-7', pack_size = 6, tax_rate = 19
    where shop_id = ${alice.shopId} and purchase_order_id = ${id}
  `)
  await db.query(sql.typeAlias('void')`
    update purchase_order set currency = 'EUR', revision = 1 where shop_id = ${alice.shopId} and id = ${id}
  `)
  const { text } = await readPdf((await alice.get(`/api/purchase-orders/${id}/pdf`)).rawPayload)
  for (const words of [
    ...[`Bestellung ${poNumber}`, 'Revision 1', 'Ring 3\n10115 Berlin\nGermany', 'USt-IdNr.: DE1', 'K-9'],
    ...['AC-7', '4 × 6', '2,50 €', '19 %', '60,00 €', 'ENTWURF'],
  ])
    t.ok(text.includes(words), words)
  t.match((await preview(alice, id)).json().data, { subject: /^Bestellung /, body: /^Guten Tag Acme,/ })
  const csv = await alice.get(`/api/purchase-orders/${id}/csv`)
  t.equal(csv.headers['content-disposition'], `attachment; filename="${poNumber}.csv"`)
  t.match(csv.headers['content-type'], 'text/csv')
  t.match(csv.body, '1,AC-7,SKU-1,Thing 1,,4,6,24,2.5,0,19,60,EUR')
})

t.test('another shop reads no preview, no CSV and no words of a mail', async (t) => {
  const { alice, mallory } = await startApp(t)
  const { id } = await makeSentOrder(alice)
  const own = await makeSentOrder(mallory)
  const mailId = (await readOrder(alice, id)).mails[0]?.id
  for (const path of ['send-preview', 'csv', `mails/${mailId}`])
    expectFailure(t, await mallory.get(`/api/purchase-orders/${id}/${path}`), 404, 'not_found')
  expectFailure(t, await mallory.get(`/api/purchase-orders/${own.id}/mails/${mailId}`), 404, 'not_found')
})
