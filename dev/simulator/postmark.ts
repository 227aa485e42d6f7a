import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { checkEmail, type EmailRequest, type Recipients } from './email-check.ts'
import type { FaultScript } from './faults.ts'
import type { Mail, Mails } from './mails.ts'
import { addMessageRoutes } from './postmark-messages.ts'
import { drop, hang } from './replies.ts'

export type PostmarkOptions = { serverToken: string; mails: Mails; faults: FaultScript }

/** The part of Postmark's API that the worker uses (https://postmarkapp.com/developer), with scripted faults. */
export function addPostmarkRoutes(app: FastifyInstance, options: PostmarkOptions) {
  const { serverToken, mails, faults } = options

  const preValidation = async (request: FastifyRequest, reply: FastifyReply) => {
    if (request.headers['x-postmark-server-token'] === serverToken) return
    const Message = 'Request does not contain a valid Server token.'
    return reply.code(401).send({ ErrorCode: 10, Message })
  }

  app.post('/email', { preValidation }, async (request, reply) => {
    await sleep(faults.current().mailDelayMs)
    const fault = faults.nextMail()
    if (fault === 'hang') return hang(reply)
    if (fault === 'drop') return drop(reply)
    if (fault?.startsWith('answer-')) return refuse(reply, Number(fault.slice('answer-'.length)))

    const checked = checkEmail(request.body)
    if ('ErrorCode' in checked) {
      const { status, ...error } = checked
      return reply.code(status).send(error)
    }
    const mail = makeMail(checked.email, checked.recipients)
    await mails.add(mail)

    if (fault === 'accept-hang') return hang(reply)
    if (fault === 'accept-drop') return drop(reply)
    if (fault === 'accept-500') return refuse(reply, 500)
    if (fault === 'accept-garbage') return reply.type('text/html').send('<html>Bad gateway</html>')
    return {
      To: checked.email.To,
      SubmittedAt: mail.ReceivedAt,
      MessageID: mail.MessageID,
      ErrorCode: 0,
      Message: 'OK',
    }
  })

  addMessageRoutes(app, { mails, faults, preValidation })
}

const refusals: Record<number, string> = {
  429: 'Rate limit exceeded.',
  500: 'Internal server error.',
  503: 'Service unavailable.',
}

function refuse(reply: FastifyReply, status: number) {
  return reply.code(status).send({ ErrorCode: status === 429 ? 429 : 100, Message: refusals[status] })
}

function makeMail(email: EmailRequest, { from, to, cc, bcc }: Recipients): Mail {
  return {
    MessageID: randomUUID(),
    ReceivedAt: new Date().toISOString(),
    From: from,
    To: to,
    Cc: cc,
    Bcc: bcc,
    ReplyTo: email.ReplyTo ?? '',
    Subject: email.Subject ?? '',
    TextBody: email.TextBody ?? '',
    HtmlBody: email.HtmlBody ?? '',
    Tag: email.Tag ?? '',
    Metadata: email.Metadata ?? {},
    MessageStream: email.MessageStream || 'outbound',
    Headers: email.Headers ?? [],
    Attachments: (email.Attachments ?? []).map(({ Name, Content, ContentType, ContentID }) => ({
      Name,
      Content,
      ContentType,
      ...(ContentID && { ContentID }),
    })),
  }
}
