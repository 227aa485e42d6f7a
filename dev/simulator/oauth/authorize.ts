import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Html, html } from '../../../shared/html.ts'
import { refuseOtherSites } from '../forms.ts'
import { sendPage } from '../pages.ts'
import { ShopParams } from '../shops/domain.ts'
import { scopeWords } from '../shops/scopes.ts'
import type { Shop } from '../shops/shop.ts'
import type { Shops } from '../shops/shops.ts'
import { AuthorizeQuery, type AuthorizeRequest, readAuthorizeRequest } from './authorize-request.ts'
import { signQuery } from './signed-query.ts'

export type OAuthOptions = {
  shops: Shops
  apiKey: string
  apiSecret: string
  appUrl: () => string | undefined
  /** Installs at once, without a page. */
  autoApprove: boolean
  /** Every access token lasts an hour and comes with a refresh token. */
  expiringTokens: boolean
}

type Route = { Params: { shop: string }; Querystring: AuthorizeQuery; Body: AuthorizeQuery }

/** Where an app sends a merchant who shall install it: a page to consent on, and back with a code. */
export function addAuthorizeRoutes(app: FastifyInstance, options: OAuthOptions) {
  const { shops, apiKey, apiSecret, appUrl, autoApprove } = options
  const path = '/shops/:shop/admin/oauth/authorize'

  async function answer(
    reply: FastifyReply,
    domain: string,
    query: AuthorizeQuery,
    act: (shop: Shop, wanted: AuthorizeRequest) => FastifyReply,
  ): Promise<FastifyReply> {
    const shop = shops.find(domain)
    if (!shop) return refuse(reply.code(404), `There is no shop ${domain}.`)
    const wanted = readAuthorizeRequest(query, { apiKey, appUrl: appUrl() })
    return typeof wanted === 'string' ? refuse(reply.code(400), wanted) : act(shop, wanted)
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
      answer(reply, params.shop, query, (shop, wanted) =>
        autoApprove || query.approve === 'auto'
          ? approve(reply, shop, wanted)
          : sendPage(reply, 'Install app', consentPage(shop, wanted, query), {
              formTargets: [wanted.redirectUri.origin],
            }),
      ),
  )

  app.post<Route>(
    path,
    { schema: { params: ShopParams, body: AuthorizeQuery }, onRequest: refuseOtherSites },
    async ({ params, body }, reply) =>
      answer(reply, params.shop, body, (shop, wanted) => approve(reply, shop, wanted)),
  )
}

const refuse = (reply: FastifyReply, sentence: string) =>
  sendPage(reply, 'Cannot install', html`<h1>This app cannot be installed</h1><p>${sentence}</p>`)

function consentPage(shop: Shop, wanted: AuthorizeRequest, query: AuthorizeQuery): Html {
  const fields = { ...query, scope: wanted.scopes.join(','), approve: undefined }
  return html`<h1>Install Quartermaster</h1>
<p>The app wants to work in <strong>${shop.facts.name}</strong> <span class="faint">${shop.domain}</span>:</p>
<ul class="card list">${wanted.scopes.map((scope) => html`<li>${scopeWords[scope]} <code>${scope}</code></li>`)}
${wanted.scopes.length === 0 ? html`<li>Nothing but to be there</li>` : undefined}</ul>
<p class="faint">After that you are at ${wanted.redirectUri.origin}.</p>
<form method="post" action="/shops/${shop.domain}/admin/oauth/authorize" class="buttons">
${Object.entries(fields).map(([name, value]) =>
  value === undefined ? undefined : html`<input type="hidden" name="${name}" value="${value}">`,
)}
<button>Install</button>
<a href="/shops/${shop.domain}">Cancel</a>
</form>`
}
