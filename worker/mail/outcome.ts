import type { MailStep } from '../../shared/mail/mail-step.ts'
import type { Mailer, MailResult } from './mailer.ts'

/** After this time the mail service's search finds every mail that it accepted: one that is not found was not accepted. */
const certainAfterSeconds = 60
const pollIntervalSeconds = 15
/** When the search has not worked for this long, the worker gives up. */
const maxUnknownSeconds = 5 * 60
/** The number of send requests for one mail, with growing pauses. */
const maxRequests = 12

/** The next state of a mail after the response to its request. */
export function stepAfter(result: MailResult): MailStep {
  if (result.state === 'sent' || result.state === 'failed') return result
  if (result.state === 'not_accepted') return { state: 'queued', reason: result.reason }
  const reason = 'The mail service did not confirm the e-mail. Its outcome is being checked.'
  return { state: 'unknown', reason, inSeconds: 1 }
}

/**
 * Searches the mail service for a mail whose request got no clear response, or whose process died. `advice` says what to do
 * when the worker gives up.
 */
export async function findOutcome(
  mailer: Mailer,
  mail: { reference: string; requestAge: number | null; requestCount: number },
  signal: AbortSignal,
  advice: string,
): Promise<MailStep> {
  const age = mail.requestAge ?? 0
  const messageId = await mailer.find(mail.reference, signal).catch(() => undefined)
  if (messageId) return { state: 'sent', messageId }
  if (messageId === null && age >= certainAfterSeconds) {
    if (mail.requestCount >= maxRequests)
      return { state: 'failed', reason: 'The mail service does not accept the e-mail.' }
    const reason = 'The mail service did not accept the e-mail. It will be tried again.'
    return { state: 'queued', reason, inSeconds: Math.round(Math.exp(Math.min(mail.requestCount, 10))) }
  }
  if (messageId === undefined && age > maxUnknownSeconds) {
    return { state: 'unknown', reason: `The mail service did not confirm the e-mail. ${advice}` }
  }
  const reason = 'The mail service has not confirmed the e-mail yet. Its outcome is being checked.'
  return { state: 'unknown', reason, inSeconds: pollIntervalSeconds }
}
