import {
  abandonDigestMail,
  advanceDigestMail,
  type DigestMail,
  findDigestMail,
  startDigestMail,
} from '../../../shared/domain/digest/mails.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { findOutcome, stepAfter } from '../../mail/outcome.ts'
import { type Attempt, defineTask, type Services } from '../../queue/task.ts'

/** `startDigestMail` takes one round trip. When it takes longer than this, the process was suspended. */
const maxStartMs = 5_000

/** Sends a digest to one recipient, at most once, however often the job runs and wherever it dies. */
export const sendDigest = defineTask(
  jobs.sendDigest,
  async (services, { shopId, digestMailId }, attempt) => {
    const { db, mailer } = services
    const mail = await findDigestMail(db, shopId, digestMailId)
    if (!mail || mail.settledAt) return
    try {
      if (mail.state === 'queued') await send(services, shopId, mail, attempt)
      else {
        const advice = 'The next digest is sent as usual.'
        const step = await findOutcome(mailer, mail, attempt.signal, advice)
        await advanceDigestMail(db, shopId, mail.id, step)
      }
    } catch (error) {
      if (attempt.isLast) await abandonDigestMail(db, shopId, mail.id)
      throw error
    }
  },
  async ({ db }, { shopId, digestMailId }) => {
    await abandonDigestMail(db, shopId, digestMailId)
    return false
  },
)

async function send(
  { db, mailer, writeDigest }: Services,
  shopId: number,
  mail: DigestMail,
  { signal }: Attempt,
): Promise<void> {
  if (!mail.isSubscribed) return advanceDigestMail(db, shopId, mail.id, { state: 'withdrawn' })
  signal.throwIfAborted()
  const startedAt = performance.now()
  if (!(await startDigestMail(db, shopId, mail.id))) return
  if (performance.now() - startedAt > maxStartMs) {
    throw new Error('This process was suspended; another worker may be searching for the mail')
  }
  const result = await mailer.send(writeDigest(shopId, mail), signal)
  await advanceDigestMail(db, shopId, mail.id, stepAfter(result))
  if (result.state === 'not_accepted') throw new Error(result.detail)
}
