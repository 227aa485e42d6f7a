import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../db.ts'
import { conflict } from '../errors.ts'
import { jobs } from '../jobs.ts'
import { enqueue } from '../queue.ts'
import { Id, Nullable, Timestamp } from '../schemas/common.ts'

/*
 * States of an outgoing mail. It is sent once: `sending` is committed before the mail service is asked, so a
 * process that dies afterwards leaves the mark, and nobody asks again before the service has said what became of it.
 *
 *   (none)           -> no_recipient  the supplier has no e-mail address; nothing is sent
 *   (none)           -> queued        its job is enqueued in the same transaction
 *   queued           -> sending       the worker is about to ask the mail service
 *   queued           -> failed        the order was cancelled first, or the last attempt could not reach the service
 *   sending          -> sent, failed  the service answered
 *   sending          -> queued        it is certain that the service did not take it
 *   sending          -> unknown       no answer came: it may have been taken
 *   sending          -> unknown       the process died; found by the attempt that follows
 *   unknown          -> sent, queued  the service was asked by `reference`, and knows it or does not
 *
 * An unknown mail with `settled_at` is left to people: the service could not be asked for five minutes, or a
 * merchant has sent the order again. Nothing sends it any more.
 */

export const OutgoingMail = Type.Object({
  id: Id,
  purchaseOrderId: Id,
  reference: Type.String(),
  recipient: Type.String(),
  state: Type.String(),
  /** Seconds since the mail service was last asked to take it, by the database's clock. */
  requestAge: Nullable(Type.Number()),
  settledAt: Nullable(Timestamp),
})
export type OutgoingMail = Static<typeof OutgoingMail>

/** How asking the mail service ended. */
export type MailOutcome =
  | { state: 'sent'; messageId: string }
  | { state: 'failed' | 'queued'; reason: string }
  | { state: 'unknown'; reason: string; isLeftToPeople?: true }

const QueuedMail = Type.Object({ id: Id, state: Type.String() })

/**
 * Records that an order is to be mailed to its supplier (else to the first contact with an address) and enqueues
 * the job. The caller holds the order's row lock. Throws conflict while an earlier mail is still on its way.
 */
export async function queueMail(
  tx: Db,
  shopId: number,
  purchaseOrderId: number,
  actor: string,
): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    update outgoing_mail
    set settled_at = now()
    where shop_id = ${shopId} and purchase_order_id = ${purchaseOrderId} and state = 'unknown'
      and settled_at is null and requested_at < now() - interval '5 minutes'
  `)
  const mail = await tx.maybeOne(sql.type(row(QueuedMail))`
    insert into outgoing_mail (shop_id, purchase_order_id, send_no, recipient, state, reason, created_by)
    select o.shop_id, o.id, earlier.send_no + 1, r.email,
      case when r.email = '' then 'no_recipient' else 'queued' end,
      case when r.email = '' then 'Neither the supplier nor a contact has an e-mail address.' else '' end,
      ${actor}
    from purchase_order o
    join supplier s on s.shop_id = o.shop_id and s.id = o.supplier_id
    cross join lateral (
      select coalesce(nullif(s.email, ''), (
        select c.email from supplier_contact c
        where c.shop_id = s.shop_id and c.supplier_id = s.id and c.email <> ''
        order by c.id
        limit 1
      ), '') as email
    ) r
    cross join lateral (
      select coalesce(max(m.send_no), 0) as send_no,
        coalesce(bool_or(m.state in ('queued', 'sending', 'unknown') and m.settled_at is null), false) as is_on_its_way
      from outgoing_mail m
      where m.shop_id = o.shop_id and m.purchase_order_id = o.id
    ) earlier
    where o.shop_id = ${shopId} and o.id = ${purchaseOrderId} and not earlier.is_on_its_way
    returning id, state
  `)
  if (!mail) throw conflict('An e-mail of this order is still on its way. Wait until it has arrived.')
  if (mail.state === 'queued') {
    await enqueue(tx, jobs.sendPurchaseOrder, { shopId, outgoingMailId: mail.id })
  }
}

/** Keeps a mail here that has not left yet, because its order was cancelled. */
export async function withdrawQueuedMail(tx: Db, shopId: number, purchaseOrderId: number): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    update outgoing_mail
    set state = 'failed', reason = 'The order was cancelled before it was e-mailed.', settled_at = now()
    where shop_id = ${shopId} and purchase_order_id = ${purchaseOrderId} and state = 'queued'
  `)
}

/** The mail a job is about, or null when its order has been deleted. */
export function findMail(db: Db, shopId: number, id: number): Promise<OutgoingMail | null> {
  return db.maybeOne(sql.type(row(OutgoingMail))`
    select id, purchase_order_id, reference, recipient, state, settled_at,
      extract(epoch from now() - requested_at) as request_age
    from outgoing_mail
    where shop_id = ${shopId} and id = ${id}
  `)
}

/** Takes a queued mail for sending. Answers false when someone else was faster or it was withdrawn. */
export async function startMail(db: Db, shopId: number, id: number): Promise<boolean> {
  const mail = await db.maybeOne(sql.typeAlias('id')`
    update outgoing_mail
    set state = 'sending', reason = '', requested_at = now()
    where shop_id = ${shopId} and id = ${id} and state = 'queued'
    returning id
  `)
  return mail !== null
}

/** Records how it ended. A mail that is settled already stays as it is. */
export async function settleMail(db: Db, shopId: number, id: number, outcome: MailOutcome): Promise<void> {
  const { state } = outcome
  const isSettled = state === 'sent' || state === 'failed' || (state === 'unknown' && outcome.isLeftToPeople)
  await db.query(sql.typeAlias('void')`
    update outgoing_mail
    set state = ${state},
      reason = ${state === 'sent' ? '' : outcome.reason},
      message_id = ${state === 'sent' ? outcome.messageId : ''},
      settled_at = case when ${isSettled === true} then now() end
    where shop_id = ${shopId} and id = ${id} and state in ('sending', 'unknown', 'queued') and settled_at is null
  `)
}
