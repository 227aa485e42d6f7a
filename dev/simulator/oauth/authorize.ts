import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Html, html } from '../../../shared/html.ts'
import { refuseOtherSites } from '../forms.ts'
import { sendPage } from '../pages.ts'
import { ShopParams } from '../shops/domain.ts'
import { scopeDescriptions } from '../shops/scopes.ts'
import type { Shop } from '../shops/shop.ts'
import type { Shops } from '../shops/shops.ts'
import { AuthorizeQuery, type AuthorizeRequest, readAuthorizeRequest } from './authorize-request.ts'
import { signQuery } from './signed-query.ts'

export type OAuthOptions = {
  shops: Shops
  apiKey: string
  apiSecret: string
  appUrl: () => string | undefined
  /** Approves every request without the consent page. */
  autoApprove: boolean
  /** Every access token expires after an hour and comes with a refresh token. */
  expiringTokens: boolean
}

type Route = { Params: { shop: string }; Querystring: AuthorizeQuery; Body: AuthorizeQuery }

/** The consent page of an installation, and the redirect back to the app with a code. */
export function addAuthorizeRoutes(app: FastifyInstance, options: OAuthOptions) {
  const { shops, apiKey, apiSecret, appUrl, autoApprove } = options
  const path = '/shops/:shop/admin/oauth/authorize'

  async function withRequest(
    reply: FastifyReply,
    domain: string,
    query: AuthorizeQuery,
    act: (shop: Shop, authorization: AuthorizeRequest) => FastifyReply,
  ): Promise<FastifyReply> {
    const shop = shops.find(domain)
    if (!shop) return refuse(reply.code(404), `Unknown shop ${domain}.`)
    const authorization = readAuthorizeRequest(query, { apiKey, appUrl: appUrl() })
    return typeof authorization === 'string'
      ? refuse(reply.code(400), authorization)
      : act(shop, authorization)
  }

  function approve(reply: FastifyReply, shop: Shop, { scopes, redirectUri, state }: AuthorizeRequest) {
    const query = signQuery(
      {
        ...Object.fromEntries(redirectUri.searchParams),
        code: shop.access.issueCode(scopes),
        host: Buffer.from(`${shop.domain}/admin`).toString('base64').replace(/=+$/, ''),
        shop: shop.domain,
        state,
        timestamp: String(Math.floor(Date.now() / 1000)),
      },
      apiSecret,
    )
    return reply
      .header('cache-control', 'no-store')
      .redirect(`${redirectUri.origin}${redirectUri.pathname}?${query}`)
  }

  app.get<Route>(
    path,
    { schema: { params: ShopParams, querystring: AuthorizeQuery } },
    async ({ params, query }, reply) =>
      withRequest(reply, params.shop, query, (shop, authorization) =>
        autoApprove || query.approve === 'auto'
          ? approve(reply, shop, authorization)
          : sendPage(reply, 'Install app', consentPage(shop, authorization, query), {
              formTargets: [authorization.redirectUri.origin],
            }),
      ),
  )

  app.post<Route>(
    path,
    { schema: { params: ShopParams, body: AuthorizeQuery }, onRequest: refuseOtherSites },
    async ({ params, body }, reply) =>
      withRequest(reply, params.shop, body, (shop, authorization) => approve(reply, shop, authorization)),
  )
}

const refuse = (reply: FastifyReply, reason: string) =>
  sendPage(reply, 'Cannot install', html`<h1>This app cannot be installed</h1><p>${reason}</p>`)

function consentPage(shop: Shop, authorization: AuthorizeRequest, query: AuthorizeQuery): Html {
  const fields = { ...query, scope: authorization.scopes.join(','), approve: undefined }
  return html`<h1>Install Quartermaster</h1>
<p>The app requests these permissions in <strong>${shop.facts.name}</strong> <span class="faint">${shop.domain}</span>:</p>
<ul class="card list">${authorization.scopes.map((scope) => html`<li>${scopeDescriptions[scope]} <code>${scope}</code></li>`)}
${authorization.scopes.length === 0 ? html`<li>No permissions</li>` : undefined}</ul>
<p class="faint">You then return to ${authorization.redirectUri.origin}.</p>
<form method="post" action="/shops/${shop.domain}/admin/oauth/authorize" class="buttons">
${Object.entries(fields).map(([name, value]) =>
  value === undefined ? undefined : html`<input type="hidden" name="${name}" value="${value}">`,
)}
<button>Install</button>
<a href="/shops/${shop.domain}">Cancel</a>
</form>`
}
