import { type Static, Type } from '@sinclair/typebox'
import type { FastifyInstance, preValidationAsyncHookHandler } from 'fastify'
import { formatAddress } from './addresses.ts'
import type { FaultScript } from './faults.ts'
import type { Mail, Mails } from './mails.ts'

const Search = Type.Object(
  {
    count: Type.Integer({ minimum: 1, maximum: 500 }),
    offset: Type.Integer({ minimum: 0, maximum: 10_000 }),
    recipient: Type.Optional(Type.String()),
    fromemail: Type.Optional(Type.String()),
    subject: Type.Optional(Type.String()),
    tag: Type.Optional(Type.String()),
    messagestream: Type.String({ default: 'outbound' }),
  },
  { additionalProperties: Type.Union([Type.String(), Type.Array(Type.String())]) },
)
type Search = Static<typeof Search>
type Options = { mails: Mails; faults: FaultScript; preValidation: preValidationAsyncHookHandler }

/** Message search and message details, as in Postmark's API. */
export function addMessageRoutes(app: FastifyInstance, { mails, faults, preValidation }: Options) {
  const schema = { querystring: Search }

  app.get<{ Querystring: Search }>(
    '/messages/outbound',
    {
      schema,
      preValidation: [preValidation, lowerCaseNames],
      errorHandler: (error, _request, reply) =>
        reply.code(422).send({ ErrorCode: 701, Message: `Invalid search: ${error.message}` }),
    },
    async (request, reply) => {
      if (faults.nextSearchFails())
        return reply.code(503).send({ ErrorCode: 100, Message: 'Service unavailable.' })
      const newest = Date.now() - faults.current().searchLagMs
      const found = mails
        .all()
        .filter((mail) => Date.parse(mail.ReceivedAt) <= newest && matches(mail, request.query))
        .reverse()
      const { count, offset } = request.query
      return { TotalCount: found.length, Messages: found.slice(offset, offset + count).map(summary) }
    },
  )

  app.get<{ Params: { id: string } }>(
    '/messages/outbound/:id/details',
    { preValidation },
    async ({ params }, reply) => {
      const mail = mails.find(params.id)
      if (!mail) return reply.code(422).send({ ErrorCode: 701, Message: 'The message was not found.' })
      const { TextBody, HtmlBody } = mail
      return { ...summary(mail), TextBody, HtmlBody, Body: source(mail), MessageEvents: [delivered(mail)] }
    },
  )
}

/** Parameter names are case-insensitive (the official client sends `fromEmail`), except those of metadata. */
const lowerCaseNames: preValidationAsyncHookHandler = async (request) => {
  const entries = Object.entries(request.query as Record<string, unknown>)
  request.query = Object.fromEntries(
    entries.map(([name, value]) => [name.startsWith('metadata_') ? name : name.toLowerCase(), value]),
  )
}

function matches(mail: Mail, search: Search): boolean {
  const same = (expected: string | undefined, value: string) =>
    expected === undefined || expected.toLowerCase() === value.toLowerCase()
  const metadata = Object.entries(search).filter(([name]) => name.startsWith('metadata_'))
  return (
    mail.MessageStream === search.messagestream &&
    same(search.fromemail, mail.From.Email) &&
    same(search.tag, mail.Tag) &&
    (search.recipient === undefined || recipients(mail).some((email) => same(search.recipient, email))) &&
    mail.Subject.toLowerCase().includes((search.subject ?? '').toLowerCase()) &&
    metadata.every(([name, value]) => mail.Metadata[name.slice('metadata_'.length)] === value)
  )
}

function recipients(mail: Mail): string[] {
  return [...mail.To, ...mail.Cc, ...mail.Bcc].map(({ Email }) => Email)
}

function summary(mail: Mail) {
  const { MessageID, Tag, To, Cc, Bcc, ReceivedAt, Subject, Metadata, MessageStream } = mail
  return {
    MessageID,
    Tag,
    To,
    Cc,
    Bcc,
    Recipients: recipients(mail),
    ReceivedAt,
    From: formatAddress(mail.From),
    Subject,
    Attachments: mail.Attachments.map(({ Name }) => Name),
    Status: 'Sent',
    TrackOpens: false,
    TrackLinks: 'None',
    Metadata,
    MessageStream,
    Sandboxed: false,
  }
}

/** A simplified source of the message: its headers and its text. */
function source(mail: Mail): string {
  const headers = [
    `From: ${formatAddress(mail.From)}`,
    `To: ${mail.To.map(formatAddress).join(', ')}`,
    `Subject: ${mail.Subject}`,
    `Date: ${new Date(mail.ReceivedAt).toUTCString()}`,
    `Message-ID: <${mail.MessageID}@simulator.example>`,
  ]
  return [...headers, '', mail.TextBody || mail.HtmlBody].join('\r\n')
}

function delivered(mail: Mail) {
  return {
    Recipient: mail.To[0]?.Email ?? '',
    Type: 'Delivered',
    ReceivedAt: mail.ReceivedAt,
    Details: { DeliveryMessage: 'Stored in the inbox of the simulator' },
  }
}
