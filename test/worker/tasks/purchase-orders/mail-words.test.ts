import t, { type Test } from 'tap'
import { sql } from '../../../../shared/db/db.ts'
import { queueMail } from '../../../../shared/domain/documents/purchase-orders/mail/mail.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import type { RevisionChange } from '../../../../shared/schemas/purchase-orders.ts'
import { readPdf } from '../../../shared/pdf/read-pdf.ts'
import { startApp } from '../../../support/core/app.ts'
import { enqueued, startTasks } from '../../../support/core/worker.ts'
import { makeOrder, makeSentOrder, makeSupplier, readOrder } from '../../../support/make/orders.ts'

async function start(t: Test) {
  const { db, alice } = await startApp(t)
  const { platform, perform } = await startTasks(t, db)
  return {
    db,
    alice,
    /** Runs the job of the newest mail twice; returns every mail that the service has. */
    mail: async () => {
      const payload = (await enqueued(db, jobs.sendPurchaseOrder, alice.shopId)).at(-1)
      if (!payload) throw new Error('no job was enqueued')
      for (let attempts = 0; attempts < 2; attempts += 1) await perform(jobs.sendPurchaseOrder, payload)
      return platform.mails()
    },
  }
}

t.test('the recipients, the words and both attachments arrive, once', async (t) => {
  const { alice, mail } = await start(t)
  const { id, poNumber } = await makeOrder(alice)
  await alice.post(`/api/purchase-orders/${id}/send`, {
    to: ['a@acme.example.com', 'b@acme.example.com'],
    cc: ['c@acme.example.com'],
    ...{ subject: 'Spring order', body: 'Hello <Bob>,\n\n{{total}} & more\nthanks', attachCsv: true },
  })
  const [sent, ...others] = await mail()
  t.strictSame(others, [])
  t.match(sent, {
    To: [{ Email: 'a@acme.example.com' }, { Email: 'b@acme.example.com' }],
    Cc: [{ Email: 'c@acme.example.com' }],
    ...{ Subject: 'Spring order', TextBody: 'Hello <Bob>,\n\n{{total}} & more\nthanks' },
    Attachments: [
      { Name: `${poNumber}.pdf`, ContentType: 'application/pdf' },
      { Name: `${poNumber}.csv`, ContentType: 'text/csv' },
    ],
  })
  t.equal(sent?.Attachments.length, 2)
  t.match(sent?.HtmlBody, 'Hello &lt;Bob&gt;,</p>')
  t.match(sent?.HtmlBody, '{{total}} &amp; more\nthanks</p>')
  const [pdf, csv] = sent?.Attachments.map(({ Content }) => Buffer.from(Content, 'base64')) ?? []
  t.match((await readPdf(pdf ?? Buffer.alloc(0))).text, poNumber)
  t.match(csv?.toString(), /^\ufeffline,supplierSku,[\s\S]*\n1,,SKU-1,Thing 1,,3,1,3,2\.5,0,0,7\.5,USD\n$/)
  const { mails } = await readOrder(alice, id)
  t.match(mails, [{ status: 'sent', cc: ['c@acme.example.com'], subject: 'Spring order', sentAt: /Z$/ }])
})

t.test('a template is applied once and escaped in HTML, also in the language of the supplier', async (t) => {
  const { db, alice, mail } = await start(t)
  await alice.put('/api/mail-templates/purchase_order', {
    ...{ subject: '{{supplierName}}: {{poNumber}}', body: '{{supplierName}}\n\n{{total}}, {{expectedAt}}' },
  })
  const { id, poNumber, supplierId } = await makeOrder(alice, {
    supplierId: await makeSupplier(alice, { name: '<i>{{poNumber}}</i>' }),
    expectedAt: '2026-12-24T12:00:00Z',
  })
  await db.query(sql.typeAlias('void')`
    update supplier set language = 'de' where shop_id = ${alice.shopId} and id = ${supplierId}
  `)
  await alice.post(`/api/purchase-orders/${id}/send`)
  // neither changes a mail that is queued
  await alice.delete('/api/mail-templates/purchase_order')
  await alice.put(`/api/suppliers/${supplierId}`, { name: 'Acme' })
  const [sent] = await mail()
  t.equal(sent?.Subject, `<i>{{poNumber}}</i>: ${poNumber}`)
  t.equal(sent?.TextBody, '<i>{{poNumber}}</i>\n\n7,50\u00a0$, 24. Dezember 2026')
  t.match(sent?.HtmlBody, '<html lang="de">')
  t.match(sent?.HtmlBody, '&lt;i&gt;{{poNumber}}&lt;/i&gt;</p>')
})

t.test('a revision is mailed once, with the difference; a resend repeats it', async (t) => {
  const { db, alice, mail } = await start(t)
  const { id, poNumber } = await makeSentOrder(alice)
  t.equal((await mail()).length, 1)
  const changes: RevisionChange[] = [
    {
      ...{ lineItemId: 1, sku: 'SKU-1', supplierSku: '', title: 'Thing 1' },
      before: { quantity: 3, costPrice: 2.5 },
      after: { quantity: 5, costPrice: 2.5 },
    },
  ]
  await db.transaction(async (tx) => {
    await tx.query(sql.typeAlias('void')`
      update purchase_order set revision = 1 where shop_id = ${alice.shopId} and id = ${id}
    `)
    await tx.query(sql.typeAlias('void')`
      insert into purchase_order_revision (shop_id, purchase_order_id, revision, changes, created_by)
      values (${alice.shopId}, ${id}, 1, ${JSON.stringify(changes)}::jsonb, 'alice')
    `)
    await queueMail(tx, alice.shopId, id, 'alice', { kind: 'revision' })
  })
  const [, sent, ...others] = await mail()
  t.strictSame(others, [])
  t.match(sent?.Subject, `Revision 1 of purchase order ${poNumber} from`)
  t.match(sent?.TextBody, 'Changed: SKU-1 Thing 1. Quantity: 3 → 5')
  const { text } = await readPdf(Buffer.from(sent?.Attachments[0]?.Content ?? '', 'base64'))
  t.match(text, `${poNumber}\nRevision 1\n`)
  await alice.post(`/api/purchase-orders/${id}/send`, { resend: true, to: ['other@acme.example.com'] })
  t.match((await mail())[2], { Subject: /^Revision 1/, To: [{ Email: 'other@acme.example.com' }] })
  t.match((await readOrder(alice, id)).mails, [
    { kind: 'revision' },
    { kind: 'revision' },
    { kind: 'purchase_order' },
  ])
})

t.test('a mail that the previous release has queued is sent with the words of the product', async (t) => {
  const { db, alice, mail } = await start(t)
  const { id, poNumber } = await makeSentOrder(alice)
  await db.query(sql.typeAlias('void')`
    update outgoing_mail set recipients = null, subject = null, body = null, content = content - 'language' - 'revision'
    where shop_id = ${alice.shopId}
  `)
  const [sent] = await mail()
  t.match(sent, {
    To: [{ Email: 'orders@acme.example.com' }],
    Cc: [],
    Subject: `Purchase order ${poNumber} from `,
  })
  t.match(sent?.TextBody, /^Dear Acme,/)
  const { mails } = await readOrder(alice, id)
  t.match(mails, [{ status: 'sent', recipients: ['orders@acme.example.com'], cc: [], subject: null }])
})
