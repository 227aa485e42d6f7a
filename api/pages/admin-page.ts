import { randomBytes } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import type { Config } from '../../shared/config.ts'
import { html } from '../../shared/html.ts'
import { platformAddress } from '../../shared/platform/addresses.ts'
import { presets } from '../../shared/platform/presets.ts'
import type { WebBuild } from './web-files.ts'

/**
 * The page that the admin runs in, for the frame of one shop's admin and no other. It holds no data and no script of
 * its own: the platform's script comes first, as it wants to, and tells the admin who asks.
 *
 * The nonce is for the style elements that the components add at run time (theme, widths that depend on the screen).
 */
export function sendAdminPage(
  reply: FastifyReply,
  config: Config,
  shopDomain: string,
  { script, preloads, styles }: WebBuild,
): FastifyReply {
  const nonce = randomBytes(16).toString('base64')
  const { pageGlobal } = presets[config.PLATFORM]
  const bridge = config.PLATFORM_APP_BRIDGE_URL
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${new URL(bridge).origin}`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${platformAddress(config, 'PLATFORM_FRAME_ANCESTORS', shopDomain)}`,
  ]
  return reply
    .type('text/html; charset=utf-8')
    .headers({
      'content-security-policy': policy.join('; '),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
    .send(
      html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="${pageGlobal}-api-key" content="${config.PLATFORM_API_KEY}">
<meta name="page-global" content="${pageGlobal}">
<meta name="admin-url" content="${platformAddress(config, 'PLATFORM_ADMIN_APP_URL', shopDomain)}">
<script src="${bridge}"></script>
<title>Quartermaster</title>
<link rel="icon" href="data:,">
${styles.map((address) => html`<link rel="stylesheet" href="${address}">\n`)}
${preloads.map((address) => html`<link rel="modulepreload" href="${address}">\n`)}
<script type="module" nonce="${nonce}" src="${script}"></script>
</head>
<body>
<div id="root"></div>
<noscript>Quartermaster needs JavaScript.</noscript>
</body>
</html>
`.html,
    )
}
