import type { FastifyInstance } from 'fastify'
import { type Html, html } from '../../../shared/html.ts'
import { refuseOtherSites } from '../forms.ts'
import { ShopParams } from '../shops/domain.ts'
import { expandScopes } from '../shops/scopes.ts'
import type { Shop } from '../shops/shop.ts'
import { type ComplianceTopic, complianceTopics, topicPath } from '../webhooks/topics.ts'
import { type AdminOptions, act, moment, sendShopPage, withShop } from './layout.ts'

type Route = { Params: { shop: string }; Body: { topic?: string } }

/** The overview page of a shop, with buttons to install and uninstall the app and to send compliance webhooks. */
export function addOverviewRoutes(app: FastifyInstance, { shops, apiKey, appUrl }: AdminOptions) {
  const schema = { params: ShopParams }

  app.get<Route>('/shops/:shop', { schema }, async (request, reply) =>
    withShop(shops, request, reply, (shop) =>
      sendShopPage(reply, shop, 'Overview', overview(shop, apiKey, appUrl())),
    ),
  )

  app.post<Route>('/shops/:shop/uninstall', { schema, onRequest: refuseOtherSites }, async (request, reply) =>
    withShop(shops, request, reply, (shop) => act(reply, `/shops/${shop.domain}`, () => shop.uninstall())),
  )

  app.post<Route>(
    '/shops/:shop/compliance',
    { schema, onRequest: refuseOtherSites },
    async (request, reply) =>
      withShop(shops, request, reply, (shop) =>
        act(reply, `/shops/${shop.domain}/deliveries`, () => {
          const topic = complianceTopics.find((known) => known === request.body.topic)
          if (!topic) throw new Error('Unknown topic.')
          shop.sendCompliance(topic)
        }),
      ),
  )
}

function overview(shop: Shop, apiKey: string, appUrl: string | undefined): Html {
  const { facts, state } = shop
  return html`<div class="card">${shop.access.isInstalled() ? installed(shop, apiKey) : notInstalled(shop, appUrl)}</div>
<h2>The shop</h2>
<dl class="headers card">
<dt>Address</dt><dd>${facts.address.address1}, ${facts.address.city} ${facts.address.zip}, ${facts.address.country}</dd>
<dt>Currency and time zone</dt><dd>${facts.currency}, ${facts.timeZone}</dd>
<dt>Locations</dt><dd>${shop.locations.map(({ name }) => name).join(' · ')}</dd>
<dt>Products</dt><dd>${shop.catalogue.end()}</dd>
<dt>Orders</dt><dd>${shop.orders().length}</dd>
<dt>Opened</dt><dd>${moment(state.openedAt.toISOString())}</dd>
</dl>
<h2>Compliance webhooks</h2>
<p>The platform sends these to every app, with or without a subscription.</p>
<div class="buttons">${complianceTopics.map((topic) => complianceButton(shop, topic))}</div>`
}

const complianceButton = (shop: Shop, topic: ComplianceTopic) =>
  html`<form method="post" action="/shops/${shop.domain}/compliance">
<input type="hidden" name="topic" value="${topic}"><button class="plain">Send ${topicPath(topic)}</button></form>`

function installed(shop: Shop, apiKey: string): Html {
  const { installedAt, scopes } = shop.state.access
  return html`<p><strong>Quartermaster is installed</strong> since ${moment(installedAt ?? '')}.</p>
<p class="faint">Scopes: ${expandScopes(scopes).join(', ') || 'none'}. Subscribed topics:
${
  shop
    .subscriptions()
    .map(({ topic }) => topicPath(topic))
    .join(', ') || 'none'
}.</p>
<div class="buttons">
<a class="button" href="/shops/${shop.domain}/admin/apps/${apiKey}">Open the app</a>
<form method="post" action="/shops/${shop.domain}/uninstall"><button class="danger">Uninstall</button></form>
</div>`
}

function notInstalled(shop: Shop, appUrl: string | undefined): Html {
  if (appUrl === undefined)
    return html`<p><strong>Quartermaster is not installed</strong>, and its address is not configured.</p>`
  return html`<p><strong>Quartermaster is not installed.</strong></p>
<div class="buttons"><a class="button" href="${appUrl}/auth?shop=${shop.domain}">Install Quartermaster</a></div>`
}
