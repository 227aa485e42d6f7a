import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Html, html } from '../../shared/html.ts'
import { apiFaults, mailFaults, tokenFaults, webhookFaults } from './fault-types.ts'
import type { Shop } from './shops/shop.ts'

export type PageOptions = {
  /** Origins to which a form may redirect: browsers check the redirect, too. */
  formTargets?: readonly string[]
  /** Origins that may be shown in a frame; the page then loads the bridge script. */
  frames?: readonly string[]
  /** The navigation beside the page: a column, and on phones a menu. */
  side?: Html
}

/** Scripts are allowed only on pages with a frame. Inline styles are allowed because mails contain them. */
const contentSecurityPolicy = ({ formTargets = [], frames = [] }: PageOptions) =>
  [
    "default-src 'none'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "base-uri 'none'",
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    ...(frames.length > 0
      ? [`frame-src ${frames.join(' ')}`, "script-src 'self'", "connect-src 'self'"]
      : []),
    "frame-ancestors 'none'",
  ].join('; ')

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
<body${bodyClass(options)}>
<header>${options.side && html`<button class="plain" popovertarget="side">Menu</button>`}
<a href="/">Platform simulator</a><nav><a href="/inbox">Inbox</a></nav></header>
${options.side && html`<aside id="side" popover>${options.side}</aside>`}
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

const bodyClass = ({ frames, side }: PageOptions) => {
  const names = [...(frames ? ['framing'] : []), ...(side ? ['sided'] : [])].join(' ')
  return names === '' ? undefined : html` class="${names}"`
}

const styleSheet = new URL('./style.css', import.meta.url)

export function addPages(app: FastifyInstance, shops: () => Shop[]) {
  app.get('/style.css', async (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(await readFile(styleSheet)),
  )

  app.get('/', async (request, reply) =>
    sendPage(reply, 'Platform simulator', overview(`http://${request.host}`, shops())),
  )
}

const overview = (origin: string, shops: Shop[]) => html`
<h1>Platform simulator</h1>
<p>Simulates the commerce platform and the mail service, so that Quartermaster runs on one machine without
accounts. Only this machine can reach it.</p>
<h2>Shops</h2>
<ul class="rows">${shops.map(shopRow)}</ul>
<h2>For people</h2>
<dl>
<dt><a href="/inbox">Inbox</a></dt>
<dd>All mails that Quartermaster has sent. No mail leaves this machine.</dd>
</dl>
<h2>For programs</h2>
<dl>
<dt><code>/shops/{shop}/admin/oauth/authorize</code>, <code>/access_token</code></dt>
<dd>Installs the app as the real platform does; <code>approve=auto</code> skips the consent page.</dd>
<dt><code>POST /shops/{shop}/admin/api/2026-07/graphql.json</code></dt>
<dd>The admin API, with the access token in <code>X-Platform-Access-Token</code>. Queries cost points; stock changes
need an idempotency key.</dd>
<dt><code>GET /shops/{shop}/session-token</code></dt>
<dd>A session token of a shop, as the shop admin gives it to an embedded app; valid for one minute, or for
<code>?minutes=</code> up to 60. As plain text under <code>session-token.txt</code>:
<a href="/shops/demo.myshop.example/session-token.txt">one for the demo shop</a>.</dd>
<dt><code>POST /email</code>, <code>GET /messages/outbound</code>, <code>GET /messages/outbound/{id}/details</code></dt>
<dd>Postmark’s API. Addresses that begin with <code>inactive@</code> or <code>bounced@</code> are refused, as
Postmark refuses them after a bounce.</dd>
<dt><a href="/faults"><code>/faults</code></a></dt>
<dd>The faults of the next requests. <code>POST</code> sets them, <code>DELETE</code> removes them. To lose the response
to the next mail, and send the webhooks of the next two orders twice:
<pre>curl -X POST -H 'Content-Type: application/json' \\
  -d '{ "mails": [{ "fault": "accept-hang", "times": 1 }],
        "webhooks": [{ "fault": "duplicate", "topic": "ORDERS_CREATE", "times": 2 }] }' \\
  ${origin}/faults</pre>
${faultHelp.map(([part, faults]) => html`<p><code>${part}</code>: ${faults}</p>`)}
<p><code>unreliableWebhooks</code>: the next <code>deliveries</code> webhooks are each lost, repeated or late with these
probabilities, the same for the same seed:
<code>{ "seed": 1, "deliveries": 50, "lost": 0.05, "repeated": 0.1, "late": 0.3, "maxDelayMs": 60000 }</code>; with shop, topic.</p>
<p>Also <code>mailDelayMs</code>, <code>failingSearches</code>, <code>searchLagMs</code>, <code>graphqlDelayMs</code> and
<code>throttle</code>, a bucket such as <code>{ "maximum": 50, "restoreRate": 5 }</code>. <code>accept-…</code> processes
the request and loses the response. With <code>withoutAppNavigation</code> the shop admin does not draw the pages of the
app.</p></dd>
</dl>
`

const faultHelp = [
  ['mails', mailFaults.join(', ')],
  ['graphql', `${apiFaults.join(', ')}; with shop, operation (a word of the document), retryAfterSeconds`],
  ['tokens', `${tokenFaults.join(', ')}; with shop`],
  ['webhooks', `${webhookFaults.join(', ')}; with shop, topic, delayMs`],
] as const

const shopRow = ({ domain, facts, access }: Shop) => html`<li><a href="/shops/${domain}">
<span class="name">${facts.name}</span> <span>${domain}</span>
<span class="faint">${access.isInstalled() ? 'installed' : 'not installed'}</span></a></li>`
