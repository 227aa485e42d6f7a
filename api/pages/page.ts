import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Html, html } from '../../shared/html.ts'

export type Page = {
  status: number
  title: string
  content: Html
  /** The origins that may show the page in a frame, separated by spaces; none by default. */
  frameAncestors?: string | undefined
  /** The source to which the page may send forms, as in `'self'`; none by default. */
  formAction?: string
}

/** A page outside the admin. Its policy allows only scripts and styles of this origin, none of them inline. */
export function sendPage(
  reply: FastifyReply,
  { status, title, content, frameAncestors, formAction = "'none'" }: Page,
): FastifyReply {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    // the empty icon
    'img-src data:',
    "base-uri 'none'",
    `form-action ${formAction}`,
    `frame-ancestors ${frameAncestors ?? "'none'"}`,
  ]
  return sendHtml(
    reply.code(status),
    policy,
    html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/page.css">
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`,
  )
}

/** Sends a page with its content security policy. Browsers do not store it, and send no referrer from it. */
export function sendHtml(reply: FastifyReply, policy: readonly string[], page: Html): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .headers({
      'content-security-policy': policy.join('; '),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
    .send(page.html)
}

const style = `body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: #1f2933; background: #f4f5f7 }
main { max-width: 34rem; margin: 10vh auto; padding: 0 1.5rem }
h1 { font-size: 1.4rem }
a { color: #0b5cad }
button { font: inherit; padding: 0.5rem 1rem }
`

/** The style sheet and the script of the pages. */
export async function pageFiles(app: FastifyInstance): Promise<void> {
  const schema = { hide: true }
  app.get('/page.css', { schema }, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(style),
  )

  // the platform's consent page cannot be shown in a frame, so the script opens the link in the top window
  app.get('/leave-frame.js', { schema }, async (_request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .send(`open(document.getElementById('leave').href, '_top')\n`),
  )
}
