import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { conflict } from '../../errors.ts'
import { enqueue } from '../../queue/enqueue.ts'
import { jobs } from '../../queue/jobs.ts'
import { Id, Nullable, Timestamp } from '../../schemas/common.ts'
import { raiseMailAlert, resolveMailAlert } from './alerts.ts'

/*
 * States of an outgoing mail. It is sent once: `sending` is committed before the mail service is asked, so a
 * process that dies afterwards leaves the mark, and nobody sends it again before the service has been searched for it.
 *
 *   (none)   -> no_recipient  the supplier has no e-mail address; nothing is sent
 *   (none)   -> queued        its job is enqueued in the same transaction
 *   queued   -> sending       the worker is about to ask the mail service
 *   queued   -> failed        cancelled first, cannot be rendered, or the last attempt could not reach the service
 *   sending  -> sent, failed  the service answered
 *   sending  -> queued        it is certain that the service did not take it
 *   sending  -> unknown       no answer came, or the process died: it may have been taken
 *   unknown  -> sent, queued  the service was searched by `reference`, and knows it or certainly does not
 *
 * `settled_at` is set at the end of each way. An unknown mail that has it is left to people: the service could not
 * be searched for five minutes, or its job is dead. Nothing sends it by itself any more. The merchant hears of it, and
 * of one that has failed (alert `mail_failed`).
 */

export const OutgoingMail = Type.Object({
  id: Id,
  purchaseOrderId: Id,
  reference: Type.String(),
  recipient: Type.String(),
  state: Type.String(),
  requestCount: Type.Integer(),
  /** Seconds since the mail service was last asked to take it, by the database's clock. */
  requestAge: Nullable(Type.Number()),
  settledAt: Nullable(Timestamp),
})
export type OutgoingMail = Static<typeof OutgoingMail>

/**
 * Where a mail goes from here. `inSeconds` hands it to a new job, which looks at it then; without that a `queued` mail
 * waits for its present job, and an `unknown` one is left to people.
 */
export type MailStep =
  | { state: 'sent'; messageId: string }
  | { state: 'failed'; reason: string }
  | { state: 'queued' | 'unknown'; reason: string; inSeconds?: number }

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
  await settleAbandoned(tx, shopId, purchaseOrderId)
  const mail = await tx.maybeOne(sql.type(row(QueuedMail))`
    insert into outgoing_mail (shop_id, purchase_order_id, send_no, recipient, state, reason, created_by, settled_at)
    select o.shop_id, o.id, earlier.send_no + 1, r.email,
      case when r.email = '' then 'no_recipient' else 'queued' end,
      case when r.email = '' then 'Neither the supplier nor a contact has an e-mail address.' else '' end,
      ${actor}, case when r.email = '' then now() end
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
        coalesce(bool_or(m.settled_at is null), false) as is_on_its_way
      from outgoing_mail m
      where m.shop_id = o.shop_id and m.purchase_order_id = o.id
    ) earlier
    where o.shop_id = ${shopId} and o.id = ${purchaseOrderId} and not earlier.is_on_its_way
    returning id, state
  `)
  if (!mail) throw conflict('An e-mail of this order is still on its way. Wait until it has arrived.')
  if (mail.state === 'queued') await handToJob(tx, shopId, mail.id, 0)
}

/** A mail whose job is gone, or has used its attempts, is not on its way any more. */
async function settleAbandoned(tx: Db, shopId: number, purchaseOrderId: number): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    update outgoing_mail m
    set state = case m.state when 'queued' then 'failed' else 'unknown' end, settled_at = now()
    where m.shop_id = ${shopId} and m.purchase_order_id = ${purchaseOrderId} and m.settled_at is null
      and not exists (
        select from graphile_worker.jobs j
        where j.id = m.queue_job_id and (j.attempts < j.max_attempts or j.locked_at is not null)
      )
  `)
}

async function handToJob(tx: Db, shopId: number, id: number, inSeconds: number): Promise<void> {
  const jobId = await enqueue(tx, jobs.sendPurchaseOrder, { shopId, outgoingMailId: id }, { inSeconds })
  await tx.query(sql.typeAlias('void')`
    update outgoing_mail set queue_job_id = ${jobId} where shop_id = ${shopId} and id = ${id}
  `)
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
    select id, purchase_order_id, reference, recipient, state, request_count, settled_at,
      extract(epoch from now() - requested_at) as request_age
    from outgoing_mail
    where shop_id = ${shopId} and id = ${id}
  `)
}

/** Takes a queued mail for sending. Answers false when someone else was faster or it was withdrawn. */
export async function startMail(db: Db, shopId: number, id: number): Promise<boolean> {
  const mail = await db.maybeOne(sql.typeAlias('id')`
    update outgoing_mail
    set state = 'sending', reason = '', requested_at = now(), request_count = request_count + 1
    where shop_id = ${shopId} and id = ${id} and state = 'queued'
    returning id
  `)
  return mail !== null
}

const SettledMail = Type.Object({ id: Id, purchaseOrderId: Id })

/** Records where a mail goes from here. One that is settled already stays as it is, and gets no job. */
export function advanceMail(db: Db, shopId: number, id: number, step: MailStep): Promise<void> {
  const inSeconds = 'inSeconds' in step ? step.inSeconds : undefined
  const isSettled = step.state !== 'queued' && inSeconds === undefined
  return db.transaction(async (tx) => {
    if (isSettled) await lockOrder(tx, shopId, id)
    const mail = await tx.maybeOne(sql.type(row(SettledMail))`
      update outgoing_mail
      set state = ${step.state},
        reason = ${step.state === 'sent' ? '' : step.reason},
        message_id = ${step.state === 'sent' ? step.messageId : ''},
        settled_at = case when ${isSettled} then now() end
      where shop_id = ${shopId} and id = ${id} and settled_at is null
      returning id, purchase_order_id
    `)
    if (!mail) return
    if (inSeconds !== undefined) await handToJob(tx, shopId, id, inSeconds)
    else if (step.state === 'sent') await resolveMailAlert(tx, shopId, mail.purchaseOrderId)
    else if (isSettled) await raiseMailAlert(tx, shopId, id)
  })
}

/** Locks the order before its mail, as whoever cancels it does: a cancelled order has no alert. */
async function lockOrder(tx: Db, shopId: number, mailId: number): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    select
    from purchase_order
    where shop_id = ${shopId}
      and id = (select purchase_order_id from outgoing_mail where shop_id = ${shopId} and id = ${mailId})
    for share
  `)
}

/** Ends a mail whose job has failed for the last time: failed where it certainly did not leave, else left to people. */
export function giveUpMail(db: Db, shopId: number, id: number): Promise<void> {
  return db.transaction(async (tx) => {
    await lockOrder(tx, shopId, id)
    const mail = await tx.maybeOne(sql.typeAlias('id')`
      update outgoing_mail
      set state = case state when 'queued' then 'failed' else 'unknown' end,
        reason = case state
          when 'queued' then 'It could not be e-mailed, and is not tried again by itself. Send it again.'
          else 'Nobody knows whether the mail service took it. Ask the supplier before you send it again.'
        end,
        settled_at = now()
      where shop_id = ${shopId} and id = ${id} and settled_at is null
      returning id
    `)
    if (mail) await raiseMailAlert(tx, shopId, id)
  })
}
