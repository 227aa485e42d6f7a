import { type Static, Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Html, html } from '../../shared/html.ts'
import { formatAddress } from './addresses.ts'
import type { Attachment, Mail, Mails } from './mails.ts'
import { sendPage } from './pages.ts'

const pageSize = 100
const ListQuery = Type.Object({ page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 }) })
const AttachmentParams = Type.Object({ id: Type.String(), number: Type.Integer({ minimum: 1 }) })

export function addInboxRoutes(app: FastifyInstance, mails: Mails) {
  app.get<{ Querystring: Static<typeof ListQuery> }>(
    '/inbox',
    { schema: { querystring: ListQuery } },
    async ({ query }, reply) => sendPage(reply, 'Inbox', mailList(mails.all(), query.page)),
  )

  app.get<{ Params: { id: string } }>('/inbox/:id', async ({ params }, reply) => {
    const mail = mails.find(params.id)
    return mail
      ? sendPage(reply, mail.Subject, mailPage(mail))
      : sendMissing(reply, 'This mail does not exist.')
  })

  app.get<{ Params: Static<typeof AttachmentParams> }>(
    '/inbox/:id/attachments/:number',
    { schema: { params: AttachmentParams } },
    async ({ params }, reply) => {
      const attachment = mails.find(params.id)?.Attachments[params.number - 1]
      return attachment
        ? sendAttachment(reply, attachment)
        : sendMissing(reply, 'This attachment does not exist.')
    },
  )
}

function sendMissing(reply: FastifyReply, message: string): FastifyReply {
  const content = html`<h1>Not found</h1><p>${message} <a href="/inbox">Back to the inbox</a></p>`
  return sendPage(reply.code(404), 'Not found', content)
}

/** The types that a browser may show. It downloads all others, so that no mail can run scripts on this origin. */
const displayable = /^(application\/pdf|image\/(png|jpeg|gif|webp)|text\/plain)\b/i

function sendAttachment(reply: FastifyReply, { Name, Content, ContentType }: Attachment): FastifyReply {
  const isDisplayed = displayable.test(ContentType) && !/[^\x20-\x7e]/.test(ContentType)
  const type = isDisplayed ? ContentType : 'application/octet-stream'
  const name = encodeURIComponent(Name.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  )
  return reply
    .headers({
      'content-type': type.startsWith('text/plain') ? 'text/plain; charset=utf-8' : type,
      'content-disposition': `${isDisplayed ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    .send(Buffer.from(Content, 'base64'))
}

function mailList(mails: readonly Mail[], page: number): Html {
  if (mails.length === 0) {
    return html`<h1>Inbox</h1>
<div class="card"><p>No mail yet.</p>
<p>Mails to suppliers appear here. Run the command that <code>npm start</code> has printed, then reload this
page.</p></div>`
  }
  const newestFirst = mails.toReversed().slice((page - 1) * pageSize, page * pageSize)
  const count = `${mails.length} ${mails.length === 1 ? 'mail' : 'mails'}, newest first`
  return html`<h1>Inbox</h1>
<p class="faint">${count}</p>
<ul class="mails">${newestFirst.map(mailLine)}</ul>
<p>${page > 1 ? html`<a href="/inbox?page=${page - 1}">Newer</a> ` : undefined}${
    mails.length > page * pageSize ? html`<a href="/inbox?page=${page + 1}">Older</a>` : undefined
  }</p>`
}

function mailLine(mail: Mail): Html {
  const to = mail.To.map(({ Email, Name }) => Name || Email).join(', ')
  const files = mail.Attachments.length === 0 ? '' : ` · ${mail.Attachments.length} attached`
  return html`<li><a href="/inbox/${mail.MessageID}">
<span class="to" dir="auto">${to}</span>
<span class="subject" dir="auto">${mail.Subject}</span>
<span class="faint">${moment(mail.ReceivedAt)}${files}</span></a></li>`
}

function mailPage(mail: Mail): Html {
  const metadata = Object.entries(mail.Metadata).map(([name, value]) => `${name}: ${value}`)
  return html`<h1 dir="auto">${mail.Subject}</h1>
<dl class="headers card">
${header('From', formatAddress(mail.From))}
${header('To', mail.To.map(formatAddress).join(', '))}
${header('Cc', mail.Cc.map(formatAddress).join(', '))}
${header('Bcc', mail.Bcc.map(formatAddress).join(', '))}
${header('Reply to', mail.ReplyTo)}
${header('Received', moment(mail.ReceivedAt))}
${header('Stream', mail.MessageStream)}
${header('Tag', mail.Tag)}
${header('Metadata', metadata.join(', '))}
${mail.Headers.map(({ Name, Value }) => header(Name, Value))}
${header('Message ID', mail.MessageID)}
</dl>
${mail.Attachments.length > 0 ? html`<h2>Attachments</h2><ul class="attachments">${mail.Attachments.map((file, index) => attachmentLink(mail, file, index + 1))}</ul>` : undefined}
${mail.HtmlBody ? html`<h2>HTML</h2><iframe sandbox title="The mail as HTML" srcdoc="${mail.HtmlBody}"></iframe>` : undefined}
${mail.TextBody ? html`<h2>Text</h2><pre dir="auto">${mail.TextBody}</pre>` : undefined}
`
}

function header(name: string, value: string): Html | undefined {
  return value ? html`<dt>${name}</dt><dd dir="auto">${value}</dd>` : undefined
}

function attachmentLink(mail: Mail, file: Attachment, number: number): Html {
  const bytes = Buffer.byteLength(file.Content, 'base64')
  const size = bytes < 1024 ? `${bytes} bytes` : `${Math.round(bytes / 1024).toLocaleString('en')} kB`
  return html`<li><a href="/inbox/${mail.MessageID}/attachments/${number}">${file.Name}
<span class="faint">${size}</span></a></li>`
}

/** Formats an instant in the time zone of this machine, which is the reader's. */
function moment(instant: string): string {
  return new Date(instant).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })
}
