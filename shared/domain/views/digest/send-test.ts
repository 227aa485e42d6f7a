import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { conflict, unprocessable } from '../../../errors.ts'
import { enqueueAll } from '../../../queue/enqueue.ts'
import { jobs } from '../../../queue/jobs.ts'
import { Id } from '../../../schemas/common.ts'
import { DigestTest } from '../../../schemas/digest.ts'
import { previewDigest } from './content.ts'

/** The recipients have not asked for it, so a shop cannot send them any number. */
const maxTestsPerDay = 10

const Recipients = Type.Object({ recipients: Type.Array(Type.String()) })
type Recipients = Static<typeof Recipients>
const Tests = Type.Object({ ofDay: Type.Integer(), isPending: Type.Boolean() })
const Queued = Type.Object({ shopId: Id, digestMailId: Id })

/**
 * Sends the digest of this moment to the saved recipients, whether or not the digest is on and something is new. It is a digest
 * without a day and without `seen`, so it does not replace the digest of the day, and what it contains is still new. The row of
 * the settings is locked, so that of two requests at once the second sees the test of the first. Throws
 * digest_without_recipients, digest_test_pending and too_many_digest_tests.
 */
export function sendTestDigest(db: Db, shopId: number, now: Date): Promise<DigestTest> {
  return db.transaction(async (tx) => {
    const settings: Recipients | null = await tx.maybeOne(sql.type(row(Recipients))`
      select to_jsonb(recipients) as recipients from digest_setting where shop_id = ${shopId} for no key update
    `)
    const recipients = settings?.recipients ?? []
    if (recipients.length === 0) {
      const fault = { path: '/recipients', message: 'must have an address before a test is sent' }
      const message =
        'Enter at least one recipient and save. An address that has unsubscribed must be added again.'
      throw unprocessable('digest_without_recipients', message, [fault])
    }
    await refuseMore(tx, shopId, now)
    const content = await previewDigest(tx, shopId)
    const digestId = await tx.oneFirst(sql.typeAlias('id')`
      insert into digest (shop_id, state, content, created_at)
      values (${shopId}, 'made', ${JSON.stringify(content)}::jsonb, ${now.toISOString()}::timestamptz)
      returning id
    `)
    const mails = await tx.any(sql.type(row(Queued))`
      insert into digest_mail (shop_id, digest_id, recipient)
      select ${shopId}, ${digestId}, recipient
      from unnest(${sql.array([...recipients], 'text')}) as recipient
      returning shop_id, id as digest_mail_id
    `)
    await enqueueAll(tx, jobs.sendDigest, mails)
    return readTest(tx, shopId, digestId)
  })
}

async function refuseMore(tx: Db, shopId: number, now: Date): Promise<void> {
  const { ofDay, isPending } = await tx.one(sql.type(row(Tests))`
    select count(*) filter (where g.created_at > ${now.toISOString()}::timestamptz - interval '1 day') as of_day,
      coalesce(bool_or(exists (
        select from digest_mail m where m.shop_id = ${shopId} and m.digest_id = g.id and m.settled_at is null
      )), false) as is_pending
    from digest g
    where g.shop_id = ${shopId} and g.day is null
  `)
  if (isPending) {
    throw conflict('A test is still being sent. Wait until it has arrived.', 'digest_test_pending')
  }
  if (ofDay >= maxTestsPerDay) {
    const message = `At most ${maxTestsPerDay} tests can be sent within 24 hours. Use the preview.`
    throw conflict(message, 'too_many_digest_tests')
  }
}

/** The newest test, or null. */
export async function getTestDigest(db: Db, shopId: number): Promise<{ last: DigestTest | null }> {
  const id = await db.maybeOneFirst(sql.typeAlias('id')`
    select id from digest where shop_id = ${shopId} and day is null order by id desc limit 1
  `)
  return { last: id === null ? null : await readTest(db, shopId, id) }
}

const readTest = (db: Db, shopId: number, digestId: number): Promise<DigestTest> =>
  db.one(sql.type(row(DigestTest))`
    select g.created_at as requested_at, (
      select jsonb_agg(
        jsonb_build_object(
          'recipient', m.recipient,
          'state', case when m.settled_at is null then 'pending' when m.state = 'sent' then 'sent' else 'failed' end,
          'reason', case
            when m.state = 'withdrawn' then 'The address is no longer a recipient.'
            when m.settled_at is not null and m.state <> 'sent' and m.reason = ''
              then 'The mail service did not confirm the e-mail.'
            else m.reason
          end
        )
        order by m.id
      )
      from digest_mail m
      where m.shop_id = ${shopId} and m.digest_id = g.id
    ) as mails
    from digest g
    where g.shop_id = ${shopId} and g.id = ${digestId}
  `)
