import t, { type Test } from 'tap'
import { sql } from '../../../../shared/db/db.ts'
import { withdrawQueuedMail } from '../../../../shared/domain/documents/purchase-orders/mail/mail.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import { startApp } from '../../../support/core/app.ts'
import { enqueued, startTasks } from '../../../support/core/worker.ts'
import { alertsOf } from '../../../support/make/alerts.ts'
import { makeSentOrder, makeSupplier } from '../../../support/make/orders.ts'

/** A sent order of alice's with its mail in the queue. */
async function start(t: Test, email = 'orders@acme.example.com') {
  const { db, alice, mallory } = await startApp(t)
  const { platform, perform } = await startTasks(t, db)
  const order = await makeSentOrder(alice, { supplierId: await makeSupplier(alice, { email }) })
  return {
    db,
    alice,
    mallory,
    order,
    platform,
    /** Runs one attempt of the newest job. */
    attempt: async (isLast = false) => {
      const payload = (await enqueued(db, jobs.sendPurchaseOrder, alice.shopId)).at(-1)
      if (!payload) throw new Error('no job was enqueued')
      await perform(jobs.sendPurchaseOrder, payload, { isLast }).catch(() => undefined)
    },
    resend: () => alice.post(`/api/purchase-orders/${order.id}/send`, { resend: true }),
    alerts: () => alertsOf(db, alice, 'mail_failed'),
  }
}

t.test('a permanently refused mail raises one alert until a mail is sent', async (t) => {
  const { db, alice, mallory, order, attempt, resend, alerts } = await start(t, 'inactive@acme.example.com')
  const change = (email: string) => alice.put(`/api/suppliers/${order.supplierId}`, { email })
  await attempt()
  const [alert, ...others] = await alerts()
  t.match(alert, { message: /^The e-mail of PO-00001 to Acme was not sent\. .*bounced.*\.$/, isOpen: true })
  t.strictSame(others, [])
  t.match((await alice.get('/api/alerts')).json().data, [{ type: 'mail_failed', purchaseOrderId: order.id }])
  await change('bounced@acme.example.com')
  t.equal((await resend()).statusCode, 200)
  await attempt()
  t.match(await alerts(), [{ isOpen: true }])
  t.equal((await alerts()).length, 1)
  await change('orders@acme.example.com')
  await resend()
  t.match(await alerts(), [{ isOpen: true }], 'a queued mail does not resolve the alert')
  await attempt()
  t.match(await alerts(), [{ isOpen: false }])
  t.strictSame(await alertsOf(db, mallory, 'mail_failed'), [])
})

t.test('a retried mail raises an alert only after the last attempt', async (t) => {
  const { platform, attempt, alerts } = await start(t)
  await platform.close()
  await attempt()
  t.strictSame(await alerts(), [])
  await attempt(true)
  t.match(await alerts(), [{ message: /was not sent\. .*Send it again\.$/, isOpen: true }])
})

t.test('a mail with an unknown outcome raises an alert when its checks end', async (t) => {
  const { db, alice, platform, attempt, alerts } = await start(t)
  platform.faults.set({ mails: [{ fault: 'accept-drop' }] })
  await attempt()
  t.strictSame(await alerts(), [], 'the service is still being checked')
  await platform.close()
  await db.query(sql.typeAlias('void')`
    update outgoing_mail set requested_at = now() - interval '6 minutes' where shop_id = ${alice.shopId}
  `)
  await attempt()
  t.match(await alerts(), [{ message: /^The e-mail of PO-00001 to Acme may not have arrived\. / }])
})

t.test('cancelling the order resolves the alert, and a cancelled order raises none', async (t) => {
  const { db, alice, order, platform, attempt, alerts } = await start(t)
  await platform.close()
  await attempt(true)
  t.match(await alerts(), [{ isOpen: true }])
  await alice.post(`/api/purchase-orders/${order.id}/cancel`)
  t.match(await alerts(), [{ isOpen: false }])
  t.equal((await alice.delete(`/api/purchase-orders/${order.id}`)).statusCode, 200)
  t.match(await alerts(), [{ isOpen: false }])
  const other = await makeSentOrder(alice)
  await alice.post(`/api/purchase-orders/${other.id}/cancel`)
  await attempt(true)
  await withdrawQueuedMail(db, alice.shopId, other.id)
  t.equal((await alerts()).length, 1)
})

t.test('a supplier without an address raises no alert', async (t) => {
  const { db, alice } = await start(t)
  const { id: supplierId } = (await alice.post('/api/suppliers', { name: 'Nobody' })).json().data
  await makeSentOrder(alice, { supplierId })
  t.strictSame(await alertsOf(db, alice, 'mail_failed'), [])
})
