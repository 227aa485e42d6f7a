import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import type { MailStep } from '../../../mail/mail-step.ts'
import { enqueue } from '../../../queue/enqueue.ts'
import { jobs } from '../../../queue/jobs.ts'
import { Id, Nullable, Timestamp } from '../../../schemas/common.ts'
import { DigestContent } from '../../../schemas/digest.ts'

/*
 * The states of a digest's mail are those of an order's mail (`shared/domain/documents/purchase-orders/mail/mail.ts`), with the same
 * guarantee: `sending` is committed before the request, and a mail whose outcome is unknown is searched before it is sent
 * again. A settled `unknown` or `failed` mail raises no alert: the next day brings the next digest.
 *   queued -> withdrawn  the recipient has unsubscribed, or the merchant removed them or turned the digest off
 * The digest of a test has no day, and is also sent while the digest is off.
 */

/** The content of a test also says whether something is new. */
const MailContent = Type.Object({ ...DigestContent.properties, isNew: Type.Optional(Type.Boolean()) })

export const DigestMail = Type.Object({
  id: Id,
  recipient: Type.String(),
  reference: Type.String(),
  state: Type.String(),
  isTest: Type.Boolean(),
  isSubscribed: Type.Boolean(),
  requestCount: Type.Integer(),
  /** Seconds since the last request to the mail service, by the database's clock. */
  requestAge: Nullable(Type.Number()),
  settledAt: Nullable(Timestamp),
  content: MailContent,
  shopDomain: Type.String(),
})
export type DigestMail = Static<typeof DigestMail>

/** The mail of a job, or null when the shop's data was removed. */
export function findDigestMail(db: Db, shopId: number, id: number): Promise<DigestMail | null> {
  return db.maybeOne(sql.type(row(DigestMail))`
    select m.id, m.recipient, m.reference, m.state, m.request_count, m.settled_at, g.content, s.domain as shop_domain,
      g.day is null as is_test,
      (d.is_on or g.day is null) and m.recipient = any(d.recipients) as is_subscribed,
      extract(epoch from now() - m.requested_at) as request_age
    from digest_mail m
    join digest g on g.shop_id = ${shopId} and g.id = m.digest_id
    join digest_setting d on d.shop_id = ${shopId}
    join shop s on s.id = ${shopId}
    where m.shop_id = ${shopId} and m.id = ${id}
  `)
}

/** Sets a queued mail to `sending`. Returns false when another job did so first. */
export async function startDigestMail(db: Db, shopId: number, id: number): Promise<boolean> {
  const mail = await db.maybeOne(sql.typeAlias('id')`
    update digest_mail
    set state = 'sending', reason = '', requested_at = now(), request_count = request_count + 1
    where shop_id = ${shopId} and id = ${id} and state = 'queued'
    returning id
  `)
  return mail !== null
}

/** `withdrawn`: the recipient gets no digest any more. */
export type DigestMailStep = MailStep | { state: 'withdrawn' }

/** Stores the next state of a mail. A settled mail does not change and gets no job. */
export function advanceDigestMail(db: Db, shopId: number, id: number, step: DigestMailStep): Promise<void> {
  const inSeconds = 'inSeconds' in step ? step.inSeconds : undefined
  const isSettled = step.state !== 'queued' && inSeconds === undefined
  return db.transaction(async (tx) => {
    const mail = await tx.maybeOne(sql.typeAlias('id')`
      update digest_mail
      set state = ${step.state},
        reason = ${'reason' in step ? step.reason : ''},
        message_id = ${'messageId' in step ? step.messageId : ''},
        settled_at = ${isSettled ? sql.fragment`now()` : null}
      where shop_id = ${shopId} and id = ${id} and settled_at is null
      returning id
    `)
    if (!mail || inSeconds === undefined) return
    await enqueue(tx, jobs.sendDigest, { shopId, digestMailId: id }, { inSeconds })
  })
}

/** Settles a mail whose job has no attempts left: `failed` if it was certainly not sent, else `unknown`. */
export async function abandonDigestMail(db: Db, shopId: number, id: number): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update digest_mail
    set state = case when state = 'queued' then 'failed' else 'unknown' end, settled_at = now()
    where shop_id = ${shopId} and id = ${id} and settled_at is null
  `)
}
