import {
  abandonDigestMail,
  advanceDigestMail,
  type DigestMailStep,
  findDigestMail,
  startDigestMail,
} from '../../../shared/domain/views/digest/mails.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { sendOnce } from '../../mail/send-once.ts'
import { defineTask } from '../../queue/task.ts'

/** Sends a digest to one recipient, at most once (`sendOnce`). */
export const sendDigest = defineTask(
  jobs.sendDigest,
  async ({ db, mailer, writeDigest }, { shopId, digestMailId }, attempt) => {
    const mail = await findDigestMail(db, shopId, digestMailId)
    if (!mail) return
    const outbox = {
      prepare: async () =>
        mail.isSubscribed
          ? { email: writeDigest(shopId, mail), start: () => startDigestMail(db, shopId, mail.id) }
          : { final: { state: 'withdrawn' } as const },
      advance: (step: DigestMailStep) => advanceDigestMail(db, shopId, mail.id, step),
      abandon: () => abandonDigestMail(db, shopId, mail.id),
      advice: 'The next digest is sent as usual.',
    }
    await sendOnce(mailer, mail, outbox, attempt)
  },
  async ({ db }, { shopId, digestMailId }) => {
    await abandonDigestMail(db, shopId, digestMailId)
    return false
  },
)
