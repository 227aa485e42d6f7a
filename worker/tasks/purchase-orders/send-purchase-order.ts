import { getOrderDocument } from '../../../shared/domain/purchase-orders/document.ts'
import {
  advanceMail,
  findMail,
  giveUpMail,
  type MailStep,
  type OutgoingMail,
  startMail,
} from '../../../shared/domain/purchase-orders/mail.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import type { MailAnswer } from '../../mail/mailer.ts'
import { orderMail } from '../../mail/order-mail.ts'
import { type Attempt, defineTask, type Services } from '../../queue/task.ts'

/** After so long the mail service knows every mail that it has taken, so one it does not know was not taken. */
const certainAfterSeconds = 60
/** How soon, and how often, it is asked about a mail until then. */
const askAgainSeconds = 15
/** When it cannot be asked for so long, a person decides. */
const giveUpAskingAfterSeconds = 5 * 60
/** A service that never says whether it takes a mail is asked to take it so often, each time later. */
const maxRequests = 12
/** Between the mark that a mail is under way and its request lies one round trip, never this long. */
const maxPauseMs = 5_000

/**
 * E-mails an order to its supplier, with the order as a PDF; at most once, however often this runs and wherever it
 * dies (`shared/domain/purchase-orders/mail.ts`). A merchant may cancel or delete the order meanwhile: then nothing is sent.
 */
export const sendPurchaseOrder = defineTask(
  jobs.sendPurchaseOrder,
  async (services, { shopId, outgoingMailId }, attempt) => {
    const mail = await findMail(services.db, shopId, outgoingMailId)
    if (!mail || mail.settledAt) return
    try {
      if (mail.state === 'queued') await send(services, shopId, mail, attempt)
      else await advanceMail(services.db, shopId, mail.id, await ask(services, mail, attempt))
    } catch (error) {
      if (attempt.isLast) await giveUpMail(services.db, shopId, mail.id)
      throw error
    }
  },
  async ({ db }, { shopId, outgoingMailId }) => {
    await giveUpMail(db, shopId, outgoingMailId)
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
  const order = await getOrderDocument(db, shopId, mail.purchaseOrderId)
  const content = order.status === 'cancelled' ? cancelled : await render(services, order, signal)
  if (!Buffer.isBuffer(content)) return advanceMail(db, shopId, mail.id, content)

  signal.throwIfAborted()
  const startedAt = performance.now()
  if (!(await startMail(db, shopId, mail.id))) return
  if (performance.now() - startedAt > maxPauseMs) {
    throw new Error('This process stood still; another may be asking for the mail by now')
  }
  const attachment = { name: `${order.poNumber}.pdf`, content }
  const { recipient: to, reference } = mail
  const answer = await mailer.send({ ...orderMail(order), to, reference, attachment }, signal)
  await advanceMail(db, shopId, mail.id, stepAfter(answer))
  if (answer.state === 'not_taken') throw new Error(answer.detail)
}

/** The PDF; or, where no further attempt could make it, how the mail ends. */
async function render(
  { pdf }: Services,
  order: Parameters<Services['pdf']['render']>[0],
  signal: AbortSignal,
): Promise<Buffer | MailStep> {
  try {
    return await pdf.render(order, { signal })
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

function stepAfter(answer: MailAnswer): MailStep {
  if (answer.state === 'sent' || answer.state === 'failed') return answer
  if (answer.state === 'not_taken') return { state: 'queued', reason: answer.reason }
  const reason = 'The mail service did not say whether it took the e-mail. It is being asked.'
  return { state: 'unknown', reason, inSeconds: 1 }
}

/** What became of a mail whose request got no clear answer, or whose process died; asked again until that is certain. */
async function ask({ mailer }: Services, mail: OutgoingMail, { signal }: Attempt): Promise<MailStep> {
  const age = mail.requestAge ?? 0
  const found = await mailer.find(mail.reference, signal).catch(() => undefined)
  if (found) return { state: 'sent', messageId: found }
  if (found === null && age >= certainAfterSeconds) {
    if (mail.requestCount >= maxRequests)
      return { state: 'failed', reason: 'The mail service does not take the e-mail.' }
    const reason = 'The mail service did not take the e-mail. It is tried again.'
    return { state: 'queued', reason, inSeconds: Math.round(Math.exp(Math.min(mail.requestCount, 10))) }
  }
  if (found === undefined && age > giveUpAskingAfterSeconds) {
    const reason =
      'The mail service did not say whether it took the e-mail. Ask the supplier before you send it again.'
    return { state: 'unknown', reason }
  }
  const reason = 'Nobody knows yet whether the mail service took the e-mail. It is being asked.'
  return { state: 'unknown', reason, inSeconds: askAgainSeconds }
}
