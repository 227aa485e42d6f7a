import { createHash } from 'node:crypto'
import {
  abandonMail,
  advanceMail,
  findMail,
  type MailStep,
  type OutgoingMail,
  startMail,
} from '../../../shared/domain/purchase-orders/mail.ts'
import { readSnapshot } from '../../../shared/domain/purchase-orders/mails.ts'
import { readLogo } from '../../../shared/domain/shops/logo.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { orderMail } from '../../mail/order-mail.ts'
import { findOutcome, stepAfter } from '../../mail/outcome.ts'
import { type Attempt, defineTask, type Services } from '../../queue/task.ts'

/** `startMail` takes one round trip. When it takes longer than this, the process was suspended. */
const maxStartMs = 5_000
const advice = 'Ask the supplier before you send it again.'

/**
 * E-mails an order to its supplier as a PDF, as it was when the merchant sent it, unless it is cancelled or deleted by
 * then. Guaranteed: at most once, however often the job runs and wherever it dies (`shared/domain/purchase-orders/mail.ts`
 * has the states).
 */
export const sendPurchaseOrder = defineTask(
  jobs.sendPurchaseOrder,
  async (services, { shopId, outgoingMailId }, attempt) => {
    const mail = await findMail(services.db, shopId, outgoingMailId)
    if (!mail || mail.settledAt) return
    try {
      if (mail.state === 'queued') await send(services, shopId, mail, attempt)
      else
        await advanceMail(
          services.db,
          shopId,
          mail.id,
          await findOutcome(services.mailer, mail, attempt.signal, advice),
        )
    } catch (error) {
      if (attempt.isLast) await abandonMail(services.db, shopId, mail.id)
      throw error
    }
  },
  async ({ db }, { shopId, outgoingMailId }) => {
    await abandonMail(db, shopId, outgoingMailId)
    return false
  },
)

async function send(
  services: Services,
  shopId: number,
  mail: OutgoingMail,
  { signal }: Attempt,
): Promise<void> {
  const { db, mailer } = services
  if (mail.isCancelled) return advanceMail(db, shopId, mail.id, cancelled)
  const order = await readSnapshot(db, shopId, mail)
  const content = await render(services, shopId, order, signal)
  if (!Buffer.isBuffer(content)) return advanceMail(db, shopId, mail.id, content)

  const pdfSha256 = createHash('sha256').update(content).digest('hex')
  signal.throwIfAborted()
  const startedAt = performance.now()
  if (!(await startMail(db, shopId, mail.id, pdfSha256))) return
  if (performance.now() - startedAt > maxStartMs) {
    throw new Error('This process was suspended; another worker may be searching for the mail')
  }
  const result = await mailer.send(orderMail(order, mail, content), signal)
  await advanceMail(db, shopId, mail.id, stepAfter(result))
  if (result.state === 'not_accepted') throw new Error(result.detail)
}

/** The PDF, or the final state of the mail when no further attempt could render it. */
async function render(
  { db, pdf }: Services,
  shopId: number,
  order: Parameters<Services['pdf']['render']>[0],
  signal: AbortSignal,
): Promise<Buffer | MailStep> {
  try {
    return await pdf.render(order, { signal, logo: await readLogo(db, shopId, order) })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'pdf_too_large') return tooLarge
    throw error
  }
}

const cancelled: MailStep = { state: 'failed', reason: 'The order was cancelled before it was e-mailed.' }
const tooLarge: MailStep = {
  state: 'failed',
  reason: 'This order is too large for a PDF. Split it into smaller ones.',
}
