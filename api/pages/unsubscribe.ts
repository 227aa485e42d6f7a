import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Config } from '../../shared/config.ts'
import { unsubscribe } from '../../shared/domain/views/digest/unsubscribe.ts'
import { html } from '../../shared/html.ts'
import { createUnsubscribeTokens } from '../../shared/unsubscribe-token.ts'
import { sendPage } from './page.ts'

type Query = { token?: unknown }

/** The body of RFC 8058 is "List-Unsubscribe=One-Click" and is not read: the token in the URL names the recipient. */
const maxBodyBytes = 4_096

/**
 * The page of the link and the header List-Unsubscribe of a digest. It needs no session: the signed token names the recipient.
 * GET changes nothing, since programs that check mails open its links; POST is the button, and one click in a mail program
 * (RFC 8058).
 */
export async function unsubscribePage(app: FastifyInstance, { config }: { config: Config }): Promise<void> {
  const tokens = createUnsubscribeTokens(config)
  const schema = { hide: true }
  const read = ({ token }: Query) => (typeof token === 'string' ? tokens.read(token) : null)

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: maxBodyBytes }, (_request, _body, done) =>
    done(null, undefined),
  )

  app.get<{ Querystring: Query }>('/unsubscribe', { schema }, async ({ query }, reply) => {
    const subscription = read(query)
    if (!subscription) return refuse(reply)
    const action = `/unsubscribe?${new URLSearchParams({ token: String(query.token) })}`
    const content = html`<p>Stop the daily digest to ${subscription.recipient}?</p>
<form method="post" action="${action}"><button>Unsubscribe</button></form>`
    return sendPage(reply, { status: 200, title: 'Unsubscribe', content, formAction: "'self'" })
  })

  app.post<{ Querystring: Query }>('/unsubscribe', { schema }, async ({ query }, reply) => {
    const subscription = read(query)
    if (!subscription) return refuse(reply)
    await unsubscribe(app.db, subscription.shopId, subscription.recipient, new Date())
    const content = html`<p>${subscription.recipient} no longer receives the daily digest of this shop. To receive it again,
add the address in the settings of Quartermaster.</p>`
    return sendPage(reply, { status: 200, title: 'Unsubscribed', content })
  })
}

function refuse(reply: FastifyReply): FastifyReply {
  const content = html`<p>Open the link of the newest digest again, or remove the address in the settings of Quartermaster.</p>`
  return sendPage(reply, { status: 400, title: 'This link is not valid', content })
}
