import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../../db/db.ts'
import { conflict } from '../../../../errors.ts'
import type { MailStep } from '../../../../mail/mail-step.ts'
import { enqueue } from '../../../../queue/enqueue.ts'
import { jobs } from '../../../../queue/jobs.ts'
import { Id, Nullable, Timestamp } from '../../../../schemas/common.ts'
import { MailKind } from '../../../../schemas/mail-templates.ts'
import { raiseMailAlert, resolveMailAlert } from '../alerts.ts'
import { type MailOptions, prepareMail } from './prepare-mail.ts'

/*
 * States of an outgoing mail. A mail is sent at most once: the worker commits `sending` before the request to the mail
 * service. If the worker dies then, the next attempt first searches the service for the mail's `reference`.
 *   (none)   -> no_recipient  the supplier has no e-mail address; no mail is sent
 *   (none)   -> queued        its job is enqueued in the same transaction
 *   queued   -> sending       the worker is about to send the request to the mail service
 *   queued   -> failed        the order was cancelled, the PDF failed, or the last attempt did not reach the service
 *   sending  -> sent, failed  the service accepted or refused the mail
 *   sending  -> queued        the service certainly did not accept the mail
 *   sending  -> unknown       the response was lost, or the worker died: the service may have accepted the mail
 *   unknown  -> sent, queued  the service has the mail, or certainly does not have it
 * A mail with `settled_at` has reached its final state. A settled `unknown` mail is never sent automatically: the
 * service could not be searched for five minutes, or the job has no attempts left. An alert (`mail_failed`) asks the
 * merchant to decide about it; a `failed` mail raises the same alert.
 */

export const OutgoingMail = Type.Object({
  id: Id,
  purchaseOrderId: Id,
  reference: Type.String(),
  kind: MailKind,
  recipients: Type.Array(Type.String()),
  cc: Type.Array(Type.String()),
  /** Null in a mail that the previous release has queued. */
  subject: Nullable(Type.String()),
  body: Nullable(Type.String()),
  attachCsv: Type.Boolean(),
  state: Type.String(),
  isCancelled: Type.Boolean(),
  requestCount: Type.Integer(),
  /** Seconds since the last request to the mail service, by the database's clock. */
  requestAge: Nullable(Type.Number()),
  settledAt: Nullable(Timestamp),
})
export type OutgoingMail = Static<typeof OutgoingMail>

const QueuedMail = Type.Object({ id: Id, state: Type.String() })

/**
 * Queues a mail with the order and the words as they are now: its content does not change any more. The caller must hold
 * the order's row lock. `options` are those of `prepareMail`. Throws conflict while an earlier mail is not settled.
 */
export async function queueMail(
  tx: Db,
  shopId: number,
  purchaseOrderId: number,
  actor: string,
  options: MailOptions = {},
): Promise<void> {
  await settleAbandoned(tx, shopId, purchaseOrderId)
  const { order, kind, to, cc, isOwnTo, isOwnCc, subject, body, attachCsv } = await prepareMail(
    tx,
    shopId,
    purchaseOrderId,
    options,
  )
  const hasRecipient = to.length > 0
  // `recipient` is for workers of the previous release
  const mail = await tx.maybeOne(sql.type(row(QueuedMail))`
    insert into outgoing_mail (
      shop_id, purchase_order_id, send_no, kind, recipient, recipients, cc, is_own_to, is_own_cc, subject, body,
      attach_csv, state, reason, created_by, settled_at, content, logo_id
    )
    select ${shopId}, ${purchaseOrderId}, earlier.send_no + 1, ${kind}, ${to[0] ?? ''}, ${sql.array(to, 'text')},
      ${sql.array(hasRecipient ? cc : [], 'text')}, ${isOwnTo}, ${isOwnCc}, ${hasRecipient ? subject : null}, ${hasRecipient ? body : null},
      ${attachCsv}, ${hasRecipient ? 'queued' : 'no_recipient'},
      ${hasRecipient ? '' : 'Neither the supplier nor a contact has an e-mail address.'},
      ${actor}, case when ${!hasRecipient} then now() end, ${hasRecipient ? JSON.stringify(order) : null}::jsonb,
      (select id from shop_logo where shop_id = ${shopId} and id = ${order.shop.logoId ?? null}::bigint for key share)
    from (
      select coalesce(max(send_no), 0) as send_no, coalesce(bool_or(settled_at is null), false) as has_unsettled
      from outgoing_mail
      where shop_id = ${shopId} and purchase_order_id = ${purchaseOrderId}
    ) earlier
    where not earlier.has_unsettled
    returning id, state
  `)
  if (!mail) throw conflict('An e-mail of this order is still being sent. Wait until that has finished.')
  if (mail.state === 'queued') await enqueueMailJob(tx, shopId, mail.id, 0)
}

/** Settles mails whose job was deleted or has no attempts left, so that the merchant can send the order again. */
async function settleAbandoned(tx: Db, shopId: number, purchaseOrderId: number): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    update outgoing_mail m
    set state = case when m.state = 'queued' then 'failed' else 'unknown' end, settled_at = now()
    where m.shop_id = ${shopId} and m.purchase_order_id = ${purchaseOrderId} and m.settled_at is null
      and not exists (
        select from graphile_worker.jobs j
        where j.id = m.queue_job_id and (j.attempts < j.max_attempts or j.locked_at is not null)
      )
  `)
}

async function enqueueMailJob(tx: Db, shopId: number, id: number, inSeconds: number): Promise<void> {
  const jobId = await enqueue(tx, jobs.sendPurchaseOrder, { shopId, outgoingMailId: id }, { inSeconds })
  await tx.query(sql.typeAlias('void')`
    update outgoing_mail set queue_job_id = ${jobId} where shop_id = ${shopId} and id = ${id}
  `)
}

/** Marks the queued mail of a cancelled order as failed, so that it is not sent. */
export async function withdrawQueuedMail(tx: Db, shopId: number, purchaseOrderId: number): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    update outgoing_mail
    set state = 'failed', reason = 'The order was cancelled before it was e-mailed.', settled_at = now()
    where shop_id = ${shopId} and purchase_order_id = ${purchaseOrderId} and state = 'queued'
  `)
}

/** The mail of a job, or null when its order was deleted. */
export function findMail(db: Db, shopId: number, id: number): Promise<OutgoingMail | null> {
  return db.maybeOne(sql.type(row(OutgoingMail))`
    select m.id, m.purchase_order_id, m.reference, m.kind, coalesce(m.recipients, array[m.recipient]) as recipients, m.cc,
      m.subject, m.body, m.attach_csv, m.state, m.request_count, m.settled_at,
      o.status = 'cancelled' as is_cancelled, extract(epoch from now() - m.requested_at) as request_age
    from outgoing_mail m
    join purchase_order o on o.shop_id = ${shopId} and o.id = m.purchase_order_id
    where m.shop_id = ${shopId} and m.id = ${id}
  `)
}

/**
 * Sets a queued mail to `sending`, with the SHA-256 of the PDF of this request. Returns false when another job did so first, or the mail
 * was withdrawn.
 */
export async function startMail(db: Db, shopId: number, id: number, pdfSha256: string): Promise<boolean> {
  const mail = await db.maybeOne(sql.typeAlias('id')`
    update outgoing_mail
    set state = 'sending', reason = '', requested_at = now(), request_count = request_count + 1,
      pdf_sha256 = ${pdfSha256}
    where shop_id = ${shopId} and id = ${id} and state = 'queued'
    returning id
  `)
  return mail !== null
}

const SettledMail = Type.Object({ id: Id, purchaseOrderId: Id })

/** Stores the next state of a mail. A settled mail does not change and gets no job. */
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
        settled_at = ${isSettled ? sql.fragment`now()` : null}
      where shop_id = ${shopId} and id = ${id} and settled_at is null
      returning id, purchase_order_id
    `)
    if (!mail) return
    if (inSeconds !== undefined) await enqueueMailJob(tx, shopId, id, inSeconds)
    else if (step.state === 'sent') await resolveMailAlert(tx, shopId, mail.purchaseOrderId)
    else if (isSettled) await raiseMailAlert(tx, shopId, id)
  })
}

/** Locks the order before its mail, as cancelling does, so that a cancelled order gets no alert. */
async function lockOrder(tx: Db, shopId: number, mailId: number): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    select
    from purchase_order
    where shop_id = ${shopId}
      and id = (select purchase_order_id from outgoing_mail where shop_id = ${shopId} and id = ${mailId})
    for share
  `)
}

/** Settles a mail whose job has no attempts left: `failed` if it was certainly not sent, else `unknown`. */
export function abandonMail(db: Db, shopId: number, id: number): Promise<void> {
  return db.transaction(async (tx) => {
    await lockOrder(tx, shopId, id)
    const mail = await tx.maybeOne(sql.typeAlias('id')`
      update outgoing_mail
      set state = case when state = 'queued' then 'failed' else 'unknown' end,
        reason = case
          when state = 'queued' then 'It could not be e-mailed and is not retried automatically. Send it again.'
          else 'The mail service did not confirm the e-mail. Ask the supplier before you send it again.'
        end,
        settled_at = now()
      where shop_id = ${shopId} and id = ${id} and settled_at is null
      returning id
    `)
    if (mail) await raiseMailAlert(tx, shopId, id)
  })
}
