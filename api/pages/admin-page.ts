import { randomBytes } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import type { Config } from '../../shared/config.ts'
import { html } from '../../shared/html.ts'
import { platformAddress } from '../../shared/platform/addresses.ts'
import { presets } from '../../shared/platform/presets.ts'
import { sendHtml } from './page.ts'
import type { WebBuild } from './web-files.ts'

/**
 * The HTML page of the admin; only the frame of this shop's admin may show it. It contains no data and no inline
 * script. The platform's script must be the first one: it provides the session token.
 *
 * The nonce is for the style elements that the components add at run time (theme, responsive widths).
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
    `img-src 'self' data: ${config.PLATFORM_PICTURE_ORIGINS}`,
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${platformAddress(config, 'PLATFORM_FRAME_ANCESTORS', shopDomain)}`,
  ]
  return sendHtml(
    reply,
    policy,
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
${styles.map((url) => html`<link rel="stylesheet" href="${url}">\n`)}
${preloads.map((url) => html`<link rel="modulepreload" href="${url}">\n`)}
<script type="module" nonce="${nonce}" src="${script}"></script>
</head>
<body>
<div id="root"></div>
<noscript>Quartermaster needs JavaScript.</noscript>
</body>
</html>
`,
  )
}
