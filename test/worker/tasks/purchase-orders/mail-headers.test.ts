import t from 'tap'
import { sql } from '../../../../shared/db/db.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import { startApp } from '../../../support/core/app.ts'
import { enqueued, startTasks } from '../../../support/core/worker.ts'
import { makeOrder, makeSupplier } from '../../../support/make/orders.ts'

/** All characters that a program may treat as the end of a line. */
const breaks = ['\r\n', '\n', '\r', '\u000b', '\u000c', '\u0085', '\u2028', '\u2029']
const headers = [
  'Bcc: spy@evil.example',
  'Subject: You have won',
  'Reply-To: spy@evil.example',
  '\tfolded: x',
]

t.test('the API refuses line breaks in fields that become headers', async (t) => {
  const { alice } = await startApp(t)
  for (const end of breaks) {
    for (const body of [
      { name: `Acme${end}${headers[0]}` },
      { name: 'Acme', email: `orders@acme.example${end}${headers[0]}` },
    ]) {
      t.equal(
        (await alice.post('/api/suppliers', body)).statusCode,
        400,
        encodeURIComponent(JSON.stringify(body)),
      )
    }
  }
  for (const email of [
    'a@b.example, c@d.example',
    'a@b.example;c@d.example',
    'A <a@b.example>',
    'a@b.example c@d.example',
  ]) {
    t.equal((await alice.post('/api/suppliers', { name: 'Acme', email })).statusCode, 400, email)
  }
})

t.test('stored line breaks add no recipient and no header to a mail', async (t) => {
  const { db, alice } = await startApp(t)
  const { platform, perform } = await startTasks(t, db)
  for (const end of breaks) {
    for (const header of headers) {
      const evil = `Kestrel${end}${header}`
      const order = await makeOrder(alice, {
        supplierId: await makeSupplier(alice, { name: 'Acme' }),
        notes: 'Leave it\nat the door',
        supplierNotes: `Ring${header.includes('\t') ? '\n' : '\r\n'}${header}`,
      })
      await db.query(sql.typeAlias('void')`
        update supplier set name = ${evil} where shop_id = ${alice.shopId}
      `)
      await db.query(sql.typeAlias('void')`
        insert into shop_setting (shop_id, company_name, address, phone, email)
        values (${alice.shopId}, ${evil}, ${evil}, ${evil}, ${`buying@kestrel.example${end}${header}`})
        on conflict (shop_id) do update
        set company_name = excluded.company_name, address = excluded.address, phone = excluded.phone, email = excluded.email
      `)
      await alice.post(`/api/purchase-orders/${order.id}/send`)
      const payload = (await enqueued(db, jobs.sendPurchaseOrder, alice.shopId)).at(-1)
      if (!payload) throw new Error('no job was enqueued')
      const before = platform.mails().length
      await perform(jobs.sendPurchaseOrder, payload)

      const hint = encodeURIComponent(`${end}${header}`)
      t.equal(platform.mails().length, before + 1, hint)
      const [mail] = platform.mails()
      t.strictSame(
        mail?.To.map(({ Email }) => Email),
        ['orders@acme.example.com'],
        hint,
      )
      t.strictSame([mail?.Cc, mail?.Bcc, mail?.Headers], [[], [], []], hint)
      t.equal(mail?.ReplyTo, '', `${hint}: no reply address is better than a wrong one`)
      t.match(mail?.Subject, /^Purchase order PO-\d{5} from Kestrel [ -~]*$/, hint)
      t.match(mail?.Attachments, [{ Name: /^PO-\d{5}\.pdf$/ }], hint)
    }
  }
})
