import type { MailStep } from '../../shared/mail/mail-step.ts'
import type { Attempt } from '../queue/task.ts'
import type { Email, Mailer } from './mailer.ts'
import { findOutcome, stepAfter } from './outcome.ts'

/** `start` takes one round trip. When it takes longer than this, the process was suspended. */
const maxStartMs = 5_000

/** A mail as its table stores it. */
type StoredMail = {
  state: string
  reference: string
  /** Seconds since the last request to the mail service. */
  requestAge: number | null
  requestCount: number
  settledAt: string | null
}

/**
 * The statements for one mail in its table, and how to prepare the e-mail. `Final` is a state of this table alone in which a mail is not
 * sent.
 */
type Outbox<Final> = {
  /** The mail that is sent, or its final state when it is not sent. */
  prepare: () => Promise<ReadyMail | { final: Final | MailStep }>
  /** Stores the next state. */
  advance: (step: Final | MailStep) => Promise<void>
  /** Settles a mail whose job has no attempts left. */
  abandon: () => Promise<void>
  /** For the merchant, when the worker gives up the search for the mail. */
  advice: string
}

type ReadyMail = {
  email: Email
  /** Sets the queued mail to `sending`. Returns false when another job did so first, or the mail was withdrawn. */
  start: () => Promise<boolean>
}

/**
 * Sends a stored mail at most once, however often its job runs and wherever it dies: `sending` is committed before the request
 * to the mail service, and a mail that is no longer `queued` is searched there before it is sent again.
 */
export async function sendOnce<Final>(
  mailer: Mailer,
  mail: StoredMail,
  outbox: Outbox<Final>,
  attempt: Attempt,
): Promise<void> {
  if (mail.settledAt) return
  try {
    if (mail.state === 'queued') await send(mailer, outbox, attempt.signal)
    else await outbox.advance(await findOutcome(mailer, mail, attempt.signal, outbox.advice))
  } catch (error) {
    if (attempt.isLast && !attempt.signal.aborted) await outbox.abandon()
    throw error
  }
}

async function send<Final>(mailer: Mailer, outbox: Outbox<Final>, signal: AbortSignal): Promise<void> {
  const prepared = await outbox.prepare()
  if ('final' in prepared) return outbox.advance(prepared.final)
  signal.throwIfAborted()
  const startedAt = performance.now()
  if (!(await prepared.start())) return
  if (performance.now() - startedAt > maxStartMs) {
    throw new Error('This process was suspended; another worker may be searching for the mail')
  }
  const result = await mailer.send(prepared.email, signal)
  await outbox.advance(stepAfter(result))
  if (result.state === 'not_accepted') throw new Error(result.detail)
}
