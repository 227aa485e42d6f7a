import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { type Address, parseAddresses } from './addresses.ts'

const Text = Type.Optional(Type.Union([Type.String(), Type.Null()]))

/** Postmark's request (https://postmarkapp.com/developer/api/email-api); other fields are ignored. */
export const EmailRequest = Type.Object({
  From: Text,
  To: Text,
  Cc: Text,
  Bcc: Text,
  ReplyTo: Text,
  Subject: Text,
  HtmlBody: Text,
  TextBody: Text,
  Tag: Text,
  MessageStream: Text,
  Metadata: Type.Optional(Type.Record(Type.String(), Type.String())),
  Headers: Type.Optional(Type.Array(Type.Object({ Name: Type.String(), Value: Type.String() }))),
  Attachments: Type.Optional(
    Type.Array(
      Type.Object({
        Name: Type.String({ minLength: 1 }),
        Content: Type.String(),
        ContentType: Type.String({ minLength: 1 }),
        ContentID: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      }),
    ),
  ),
})
export type EmailRequest = Static<typeof EmailRequest>

export type Recipients = { from: Address; to: Address[]; cc: Address[]; bcc: Address[] }
export type Refusal = { status: number; ErrorCode: number; Message: string }

const megabyte = 1024 * 1024
const isBase64 = (text: string) => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)
const invalid = (Message: string): Refusal => ({ status: 422, ErrorCode: 300, Message })
const tooLarge = (Message: string): Refusal => ({ status: 413, ErrorCode: 300, Message })

/** Returns the mail with its parsed recipients, or the error that Postmark would return. */
export function checkEmail(body: unknown): { email: EmailRequest; recipients: Recipients } | Refusal {
  const firstError = Value.Errors(EmailRequest, body).First()
  if (firstError)
    return {
      status: 422,
      ErrorCode: 402,
      Message: `Invalid JSON: ${firstError.path || '/'} ${firstError.message}`,
    }
  const email = body as EmailRequest
  const refusal = checkContent(email) ?? checkMetadata(email.Metadata ?? {}) ?? checkAttachments(email)
  return refusal ?? checkRecipients(email)
}

function checkContent({ Subject, TextBody, HtmlBody }: EmailRequest): Refusal | undefined {
  if (!Subject?.trim()) return invalid("The 'Subject' field is empty.")
  if (/[\r\n]/.test(Subject)) return invalid("The 'Subject' field must be one line.")
  if (!TextBody && !HtmlBody) return invalid('Provide either email TextBody or HtmlBody or both.')
  for (const text of [TextBody, HtmlBody])
    if (Buffer.byteLength(text ?? '') > 5 * megabyte) return tooLarge('A body must not exceed 5 MB.')
  return undefined
}

function checkMetadata(metadata: Record<string, string>): Refusal | undefined {
  const entries = Object.entries(metadata)
  if (entries.length > 10) return invalid('Metadata must not have more than 10 fields.')
  if (entries.some(([name]) => name.length > 20))
    return invalid('A metadata name must not exceed 20 characters.')
  if (entries.some(([, value]) => value.length > 80))
    return invalid('A metadata value must not exceed 80 characters.')
  return undefined
}

/** Sizes are those on the wire: attachments in base64. */
function checkAttachments({ Attachments = [], TextBody, HtmlBody }: EmailRequest): Refusal | undefined {
  const bad = Attachments.find(({ Content }) => !isBase64(Content))
  if (bad) return invalid(`The content of attachment '${bad.Name}' is not base64.`)
  const size = [TextBody, HtmlBody, ...Attachments.map(({ Content }) => Content)].reduce(
    (sum, part) => sum + Buffer.byteLength(part ?? ''),
    0,
  )
  return size > 10 * megabyte ? tooLarge('The message exceeds 10 MB.') : undefined
}

function checkRecipients(email: EmailRequest): { email: EmailRequest; recipients: Recipients } | Refusal {
  const from = parseAddresses(email.From ?? '')
  const [sender] = from ?? []
  if (!sender || from?.length !== 1) return invalid("Invalid 'From' address.")
  const [to, cc, bcc, replyTo] = [email.To, email.Cc, email.Bcc, email.ReplyTo].map((text) =>
    text?.trim() ? parseAddresses(text) : [],
  )
  if (!to || to.length === 0) return invalid("Invalid 'To' address.")
  if (!cc) return invalid("Invalid 'Cc' address.")
  if (!bcc) return invalid("Invalid 'Bcc' address.")
  if (!replyTo) return invalid("Invalid 'ReplyTo' address.")
  const all = [...to, ...cc, ...bcc]
  if (all.length > 50) return invalid('A message must not have more than 50 recipients.')
  const inactive = all.filter(({ Email }) => /^(inactive|bounced)@/i.test(Email)).map(({ Email }) => Email)
  if (inactive.length > 0) return inactiveRecipients(inactive)
  return { email, recipients: { from: sender, to, cc, bcc } }
}

function inactiveRecipients(addresses: string[]): Refusal {
  return {
    status: 422,
    ErrorCode: 406,
    Message:
      'You tried to send to recipient(s) that have been marked as inactive. ' +
      `Found inactive addresses: ${addresses.join(', ')}. ` +
      'Inactive recipients are ones that have generated a hard bounce, a spam complaint, or a manual suppression.',
  }
}
