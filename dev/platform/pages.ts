import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Html, html } from '../../shared/html.ts'

export type PageOptions = {
  /** Where a form may lead besides here: a browser checks the redirect after it, too. */
  formTargets?: readonly string[]
  /** What may be shown in a frame. */
  frames?: readonly string[]
}

/** No script anywhere. Mails bring their own styles, so those may stand in the page. */
const contentSecurityPolicy = ({ formTargets = [], frames = [] }: PageOptions) =>
  [
    "default-src 'none'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "base-uri 'none'",
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    ...(frames.length > 0 ? [`frame-src ${frames.join(' ')}`] : []),
    "frame-ancestors 'none'",
  ].join('; ')

/** Answers with a whole page around `content`. */
export function sendPage(
  reply: FastifyReply,
  title: string,
  content: Html,
  options: PageOptions = {},
): FastifyReply {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css">
</head>
<body>
<header><a href="/">Platform simulator</a><nav><a href="/inbox">Inbox</a></nav></header>
<main>
${content}
</main>
</body>
</html>
`
  return reply
    .type('text/html; charset=utf-8')
    .headers({
      'content-security-policy': contentSecurityPolicy(options),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
    .send(page.html)
}

const styleSheet = new URL('./style.css', import.meta.url)

/** What every page needs, and the page that says what is there. */
export function addPages(app: FastifyInstance) {
  app.get('/style.css', async (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(await readFile(styleSheet)),
  )

  app.get('/', async (request, reply) =>
    sendPage(reply, 'Platform simulator', overview(`http://${request.host}`)),
  )
}

const overview = (origin: string) => html`
<h1>Platform simulator</h1>
<p>Stands in for the commerce platform and the mail service, so that Quartermaster runs on one machine without
accounts. Only this machine can reach it.</p>
<dl>
<dt><a href="/inbox">Inbox</a></dt>
<dd>Every mail that Quartermaster has sent. None leaves this machine.</dd>
<dt><code>GET /shops/{shop}/session-token</code></dt>
<dd>A session token of a shop, as the shop admin gives it to an embedded app; valid for one minute, or for
<code>?minutes=</code> up to 60. As plain text under <code>session-token.txt</code>:
<a href="/shops/demo.myshop.example/session-token.txt">one for the demo shop</a>.</dd>
<dt><code>POST /email</code>, <code>GET /messages/outbound</code>, <code>GET /messages/outbound/{id}/details</code></dt>
<dd>Postmark’s API. Addresses that begin with <code>inactive@</code> or <code>bounced@</code> are refused, as
Postmark refuses them after a bounce.</dd>
<dt><a href="/faults"><code>/faults</code></a></dt>
<dd>What goes wrong next. <code>POST</code> changes it, <code>DELETE</code> ends it. To lose the answer to the next
mail:
<pre>curl -X POST -H 'Content-Type: application/json' \\
  -d '{ "mails": [{ "fault": "accept-hang", "times": 1 }] }' \\
  ${origin}/faults</pre>
Faults of a mail: <code>answer-429</code>, <code>answer-500</code>, <code>answer-503</code>, <code>drop</code>,
<code>hang</code> (not taken), <code>accept-500</code>, <code>accept-drop</code>, <code>accept-hang</code>,
<code>accept-garbage</code> (taken, but the sender does not hear so). Also <code>mailDelayMs</code>,
<code>failingSearches</code>, <code>searchLagMs</code>.</dd>
</dl>
`
