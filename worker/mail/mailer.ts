import { Errors, type Message, Models, ServerClient } from 'postmark'
import type { Config } from '../../shared/config.ts'

/** An e-mail with one attached PDF. `reference` is what the mail service is asked for later. */
export type Email = {
  to: string
  replyTo: string
  subject: string
  text: string
  html: string
  attachment: { name: string; content: Buffer }
  reference: string
}

/** What became of a mail: taken, refused for good, certainly not taken now, or nobody knows. `reason` is for merchants. */
export type MailAnswer =
  | { state: 'sent'; messageId: string }
  | { state: 'failed'; reason: string }
  | { state: 'not_taken'; reason: string; detail: string }
  | { state: 'unknown' }

export type Mailer = {
  /** Never throws: an answer that did not come is one, too. */
  send: (email: Email, signal: AbortSignal) => Promise<MailAnswer>
  /** The id of a mail that was taken, null when the service knows none. Throws when it cannot tell. */
  find: (reference: string, signal: AbortSignal) => Promise<string | null>
}

const timeoutSeconds = 10
const maxBytes = 10 * 1024 * 1024

/** Codes of a connection that never came about: nothing was sent over it. */
const notConnected =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|ERR_TLS_\w+)$/

/** Postmark's codes for what no further attempt can mend: an address it does not take, one that bounced. */
const finalReasons: Record<number, string> = {
  300: 'The mail service does not take this e-mail. Check the address of the supplier.',
  406: 'Earlier e-mail to this address bounced, so the mail service refuses it. Check the address of the supplier.',
}

/**
 * Sends through Postmark (https://postmarkapp.com/developer/api/email-api), which has no idempotency key. So its
 * answers are sorted by one question: was the mail certainly taken, certainly not, or is nobody sure?
 */
export function createMailer(config: Config): Mailer {
  const { POSTMARK_SERVER_TOKEN: token = '', MAIL_FROM: from = '' } = config
  const { protocol, host } = new URL(config.POSTMARK_API_URL)

  /** A client of its own per call, so that the call can be aborted and says how far it came. */
  function connect(signal: AbortSignal) {
    const trace = { isConnected: true }
    const client = new ServerClient(token, {
      useHttps: protocol === 'https:',
      requestHost: host,
      timeout: timeoutSeconds,
      fetch: async (url, init) => {
        const signals = [signal, init?.signal].filter((one) => one instanceof AbortSignal)
        try {
          return await fetch(url, { ...init, signal: AbortSignal.any(signals) })
        } catch (error) {
          trace.isConnected = !notConnected.test(codeOf(error))
          throw error
        }
      },
    })
    return { client, trace }
  }

  return {
    async send(email, signal) {
      const message = toMessage(email, from)
      if (sizeOf(message) > maxBytes) {
        return { state: 'failed', reason: 'The e-mail with its PDF is larger than 10 MB.' }
      }
      const { client, trace } = connect(signal)
      try {
        const { MessageID, ErrorCode } = await client.sendEmail(message)
        if (ErrorCode === 0 && MessageID) return { state: 'sent', messageId: MessageID }
        return { state: 'unknown' }
      } catch (error) {
        return classifyError(error, trace.isConnected)
      }
    },

    async find(reference, signal) {
      const filter = Object.assign(new Models.OutboundMessagesFilteringParameters(1, 0), {
        metadata_reference: reference,
      })
      const { TotalCount, Messages } = await connect(signal).client.getOutboundMessages(filter)
      const count = Number(TotalCount)
      if (!Number.isInteger(count)) throw new Error('The mail service gave no clear answer')
      return count > 0 ? (Messages[0]?.MessageID ?? '') : null
    },
  }
}

const busy = 'The mail service is busy or cannot be reached. It is tried again.'
const refused = 'The mail service does not take e-mail from us right now. It is tried again.'

function classifyError(error: unknown, isConnected: boolean): MailAnswer {
  const { statusCode = 0, code = 0, message = '' } = error instanceof Errors.PostmarkError ? error : {}
  const detail = `The mail service answered ${statusCode} (code ${code}): ${message}`
  if (!isConnected)
    return { state: 'not_taken', reason: busy, detail: `No connection to the mail service: ${message}` }
  if (statusCode === 429) return { state: 'not_taken', reason: busy, detail }
  if (statusCode === 413) return { state: 'failed', reason: 'The e-mail is too large for the mail service.' }
  const reason = finalReasons[code]
  if (statusCode === 422 && reason) return { state: 'failed', reason }
  // a wrong server token, an unconfirmed sender, a closed account: what ops can mend
  if (statusCode >= 400 && statusCode < 500) return { state: 'not_taken', reason: refused, detail }
  return { state: 'unknown' }
}

function toMessage(
  { to, replyTo, subject, text, html, attachment, reference }: Email,
  from: string,
): Message {
  return {
    From: from,
    To: to,
    ...(replyTo && { ReplyTo: replyTo }),
    Subject: subject,
    TextBody: text,
    HtmlBody: html,
    Metadata: { reference },
    Attachments: [
      {
        Name: attachment.name,
        Content: attachment.content.toString('base64'),
        ContentID: null,
        ContentType: 'application/pdf',
      },
    ],
  }
}

function sizeOf({ TextBody = '', HtmlBody = '', Attachments = [] }: Message): number {
  return [TextBody, HtmlBody, ...Attachments.map(({ Content }) => Content)].reduce(
    (sum, part) => sum + Buffer.byteLength(part),
    0,
  )
}

function codeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : ''
}
