import { Errors, type Message, Models, ServerClient } from 'postmark'
import type { Config } from '../../shared/config.ts'
import { senderOf } from '../../shared/mail/sender.ts'

export type Attachment = { name: string; type: 'application/pdf' | 'text/csv'; content: Buffer }

export type Email = {
  to: readonly string[]
  cc: readonly string[]
  replyTo: string
  /** The shop in whose name it is sent; without it, the name of the sender is that of `MAIL_FROM`. */
  shopName?: string
  subject: string
  text: string
  html: string
  attachments: readonly Attachment[]
  reference: string
  headers?: readonly { name: string; value: string }[]
}

/**
 * The result of a send request; `reason` is shown to merchants. Search for an `unknown` mail before sending it again.
 *   sent          the mail service accepted the mail
 *   failed        it will never accept it
 *   not_accepted  it certainly did not accept it, but a later request may succeed
 *   unknown       it may have accepted it: there was no clear response
 */
export type MailResult =
  | { state: 'sent'; messageId: string }
  | { state: 'failed'; reason: string }
  | { state: 'not_accepted'; reason: string; detail: string }
  | { state: 'unknown' }

export type Mailer = {
  /** Never throws: without a response the result is `unknown`. */
  send: (email: Email, signal: AbortSignal) => Promise<MailResult>
  /** The id of an accepted mail, null when the service has none. Throws when the search fails. */
  find: (reference: string, signal: AbortSignal) => Promise<string | null>
}

const timeoutSeconds = 10
const maxBytes = 10 * 1024 * 1024

/** Error codes of a connection that was never established, so nothing was sent. */
const notConnected =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|ERR_TLS_\w+)$/

/** Postmark's codes for final failures: an invalid address, or one that bounced before. */
const finalReasons: Record<number, string> = {
  300: 'The mail service does not accept this e-mail. Check the addresses.',
  406: 'Earlier e-mail to an address bounced, so the mail service refuses this one. Check the addresses.',
}

/** Sends through Postmark (https://postmarkapp.com/developer/api/email-api), which has no idempotency keys. */
export function createMailer(config: Config): Mailer {
  const { POSTMARK_SERVER_TOKEN: token = '', MAIL_FROM: from = '' } = config
  const { protocol, host } = new URL(config.POSTMARK_API_URL)

  /** A client per call, so that the call can be aborted, and `trace` shows whether it was connected. */
  function connect(signal: AbortSignal) {
    const trace = { isConnected: true }
    const client = new ServerClient(token, {
      useHttps: protocol === 'https:',
      requestHost: host,
      timeout: timeoutSeconds,
      fetch: async (url, init) => {
        const signals = [signal, init?.signal].filter((it) => it instanceof AbortSignal)
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
        return { state: 'failed', reason: 'The e-mail with its attachments is larger than 10 MB.' }
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
      if (!Number.isInteger(count)) throw new Error('The mail service returned no count')
      return count > 0 ? (Messages[0]?.MessageID ?? '') : null
    },
  }
}

const busy = 'The mail service is busy or cannot be reached. It will be tried again.'
const refused = 'The mail service does not accept our e-mail right now. It will be tried again.'

function classifyError(error: unknown, isConnected: boolean): MailResult {
  const { statusCode = 0, code = 0, message = '' } = error instanceof Errors.PostmarkError ? error : {}
  const detail = `The mail service answered ${statusCode} (code ${code}): ${message}`
  if (!isConnected)
    return { state: 'not_accepted', reason: busy, detail: `No connection to the mail service: ${message}` }
  if (statusCode === 429) return { state: 'not_accepted', reason: busy, detail }
  if (statusCode === 413) return { state: 'failed', reason: 'The e-mail is too large for the mail service.' }
  const reason = finalReasons[code]
  if (statusCode === 422 && reason) return { state: 'failed', reason }
  // a wrong server token, an unconfirmed sender or a closed account: an operator can fix it
  if (statusCode >= 400 && statusCode < 500) return { state: 'not_accepted', reason: refused, detail }
  return { state: 'unknown' }
}

function toMessage(
  { to, cc, replyTo, shopName, subject, text, html, attachments, reference, headers = [] }: Email,
  from: string,
): Message {
  return {
    From: shopName === undefined ? from : senderOf(from, shopName),
    To: to.join(', '),
    ...(cc.length > 0 && { Cc: cc.join(', ') }),
    ...(replyTo && { ReplyTo: replyTo }),
    Subject: subject,
    TextBody: text,
    HtmlBody: html,
    Metadata: { reference },
    ...(headers.length > 0 && { Headers: headers.map(({ name, value }) => ({ Name: name, Value: value })) }),
    Attachments: attachments.map(({ name, type, content }) => ({
      Name: name,
      Content: content.toString('base64'),
      ContentID: null,
      ContentType: type,
    })),
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
