import { createHash } from 'node:crypto'
import {
  abandonMail,
  advanceMail,
  findMail,
  type OutgoingMail,
  startMail,
} from '../../../shared/domain/documents/purchase-orders/mail/mail.ts'
import { readSnapshot } from '../../../shared/domain/documents/purchase-orders/mail/mails.ts'
import { readLogo } from '../../../shared/domain/records/shops/logo.ts'
import type { MailStep } from '../../../shared/mail/mail-step.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { orderMail } from '../../mail/order-mail.ts'
import { sendOnce } from '../../mail/send-once.ts'
import { defineTask, type Services } from '../../queue/task.ts'

/**
 * E-mails an order to its supplier as a PDF, as it was when the merchant sent it, unless it is cancelled or deleted by
 * then; at most once (`sendOnce`).
 */
export const sendPurchaseOrder = defineTask(
  jobs.sendPurchaseOrder,
  async (services, { shopId, outgoingMailId }, attempt) => {
    const { db, mailer } = services
    const mail = await findMail(db, shopId, outgoingMailId)
    if (!mail) return
    const outbox = {
      prepare: () => prepare(services, shopId, mail, attempt.signal),
      advance: (step: MailStep) => advanceMail(db, shopId, mail.id, step),
      abandon: () => abandonMail(db, shopId, mail.id),
      advice: 'Ask the supplier before you send it again.',
    }
    await sendOnce(mailer, mail, outbox, attempt)
  },
  async ({ db }, { shopId, outgoingMailId }) => {
    await abandonMail(db, shopId, outgoingMailId)
    return false
  },
)

async function prepare(services: Services, shopId: number, mail: OutgoingMail, signal: AbortSignal) {
  if (mail.isCancelled) return { final: cancelled }
  const { db } = services
  const order = await readSnapshot(db, shopId, mail)
  const content = await render(services, shopId, order, signal)
  if (!Buffer.isBuffer(content)) return { final: content }
  const pdfSha256 = createHash('sha256').update(content).digest('hex')
  return {
    email: orderMail(order, mail, content),
    start: () => startMail(db, shopId, mail.id, pdfSha256),
  }
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
