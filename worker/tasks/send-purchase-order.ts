import {
  findMail,
  type MailOutcome,
  type OutgoingMail,
  settleMail,
  startMail,
} from '../../shared/domain/outgoing-mail.ts'
import { getOrderDocument } from '../../shared/domain/purchase-order-document.ts'
import { jobs } from '../../shared/jobs.ts'
import { orderMail } from '../order-mail.ts'
import { type Attempt, defineTask, type Services } from '../task.ts'

/** After so long the mail service knows every mail that it has taken, so one it does not know was not taken. */
const certainAfterSeconds = 60
/** When it cannot even be asked for so long, a person decides. */
const giveUpAfterSeconds = 5 * 60
const interrupted = 'The e-mail was interrupted, and the mail service is being asked whether it took it.'
/** Between the mark that a mail is under way and its request lies one round trip, never this long. */
const longestPauseMs = 5_000

/**
 * E-mails an order to its supplier, with the order as a PDF; at most once, however often this runs and wherever it
 * dies (`shared/domain/outgoing-mail.ts`). A merchant may cancel or delete the order meanwhile: then nothing is sent.
 */
export const sendPurchaseOrder = defineTask(
  jobs.sendPurchaseOrder,
  async (services, { shopId, outgoingMailId }, attempt) => {
    const mail = await findMail(services.db, shopId, outgoingMailId)
    if (!mail || mail.settledAt) return
    const settle = async (outcome: MailOutcome) => {
      await settleMail(services.db, shopId, mail.id, outcome)
      return outcome
    }
    if (mail.state === 'sending') await settle({ state: 'unknown', reason: interrupted })
    if (mail.state === 'sending' || mail.state === 'unknown') {
      const { state } = await settle(await askForOutcome(services, mail, attempt))
      if (state !== 'queued') return
    }
    const outcome = await send(services, shopId, mail, attempt)
    if (!outcome) return
    const { state } = outcome
    const isHopeless = state === 'queued' && attempt.isLast
    await settle(isHopeless ? { state: 'failed', reason: 'The mail service could not be reached.' } : outcome)
    if (state === 'queued' || state === 'unknown') throw new Error(outcome.reason)
  },
)

/** Null when the mail is not to be sent any more. */
async function send(
  { db, pdf, mailer }: Services,
  shopId: number,
  mail: OutgoingMail,
  { signal }: Attempt,
): Promise<MailOutcome | null> {
  const order = await getOrderDocument(db, shopId, mail.purchaseOrderId)
  if (order.status === 'cancelled')
    return { state: 'failed', reason: 'The order was cancelled before it was e-mailed.' }
  const content = await pdf.render(order, { signal })
  signal.throwIfAborted()
  const startedAt = performance.now()
  if (!(await startMail(db, shopId, mail.id))) return null
  if (performance.now() - startedAt > longestPauseMs) {
    throw new Error('This process stood still; another may be asking for the mail by now')
  }
  const { recipient: to, reference } = mail
  const attachment = { name: `${order.poNumber}.pdf`, content }
  return mailer.send({ ...orderMail(order), to, reference, attachment }, signal)
}

/**
 * What became of a mail whose request got no answer. Throws while nobody can tell: the queue asks again, each time a
 * little later.
 */
async function askForOutcome(
  { mailer }: Services,
  { reference, requestAge }: OutgoingMail,
  { signal, isLast }: Attempt,
): Promise<MailOutcome> {
  const age = requestAge ?? 0
  const found = await mailer.find(reference, signal).catch((error: unknown) => {
    if (isLast || age > giveUpAfterSeconds) return undefined
    throw error
  })
  if (found === undefined) {
    const reason =
      'The mail service did not say whether it took the e-mail. Ask the supplier before you resend it.'
    return { state: 'unknown', reason, isLeftToPeople: true }
  }
  if (found !== null) return { state: 'sent', messageId: found }
  if (age < certainAfterSeconds) throw new Error('The mail service does not know the mail yet')
  return { state: 'queued', reason: '' }
}
