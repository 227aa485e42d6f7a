import { type Static, Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { type Html, html } from '../../../shared/html.ts'
import { refuseOtherSites } from '../forms.ts'
import { ShopParams } from '../shops/domain.ts'
import type { Shop } from '../shops/shop.ts'
import type { Delivery } from '../webhooks/delivery.ts'
import { topicPath } from '../webhooks/topics.ts'
import { type AdminOptions, act, moment, pager, sendMissing, sendShopPage, withShop } from './layout.ts'

const pageSize = 50
const ListQuery = Type.Object({ page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 }) })
const Params = Type.Composite([ShopParams, Type.Object({ id: Type.String() })])

type ListRoute = { Params: { shop: string }; Querystring: Static<typeof ListQuery> }
type ItemRoute = { Params: Static<typeof Params> }

/** Pages with the webhooks sent to the app, its responses, and a button to send one again. */
export function addDeliveryRoutes(app: FastifyInstance, { shops }: AdminOptions) {
  const find = (shop: Shop, id: string) => shop.deliveries().find((delivery) => delivery.id === id)

  app.get<ListRoute>(
    '/shops/:shop/deliveries',
    { schema: { params: ShopParams, querystring: ListQuery } },
    async (request, reply) =>
      withShop(shops, request, reply, (shop) =>
        sendShopPage(reply, shop, 'Deliveries', deliveryList(shop, request.query.page)),
      ),
  )

  app.get<ItemRoute>('/shops/:shop/deliveries/:id', { schema: { params: Params } }, async (request, reply) =>
    withShop(shops, request, reply, (shop) => {
      const delivery = find(shop, request.params.id)
      return delivery
        ? sendShopPage(reply, shop, topicPath(delivery.topic), deliveryPage(shop, delivery))
        : sendMissing(reply, 'This delivery does not exist. The simulator stores the last 500 of each shop.')
    }),
  )

  app.post<ItemRoute>(
    '/shops/:shop/deliveries/:id/resend',
    { schema: { params: Params }, onRequest: refuseOtherSites },
    async (request, reply) =>
      withShop(shops, request, reply, (shop) => {
        const { id } = request.params
        if (!find(shop, id)) return sendMissing(reply, 'This delivery does not exist.')
        return act(reply, `/shops/${shop.domain}/deliveries/${id}`, () => shop.resend(id))
      }),
  )
}

function deliveryList(shop: Shop, page: number): Html {
  const deliveries = shop.deliveries().toReversed()
  if (deliveries.length === 0)
    return html`<div class="card"><p>No deliveries yet.</p>
<p>The app receives webhooks of the topics that it subscribes to: <a href="/shops/${shop.domain}/orders">place an order</a> or
<a href="/shops/${shop.domain}/products">change stock</a>.</p></div>`
  const shown = deliveries.slice((page - 1) * pageSize, page * pageSize)
  return html`<ul class="rows">${shown.map((delivery) => deliveryRow(shop, delivery))}</ul>
${pager((target) => `?page=${target}`, page, deliveries.length > page * pageSize)}`
}

function deliveryRow(shop: Shop, delivery: Delivery): Html {
  const { id, topic, triggeredAt, attempts } = delivery
  return html`<li><a href="/shops/${shop.domain}/deliveries/${id}">
<span class="name">${topicPath(topic)}</span>
<span>${stateBadge(delivery)} <span class="faint">${attempts === 1 ? 'once' : `${attempts} attempts`}${lastResponseText(delivery)}</span></span>
<span class="faint">${moment(triggeredAt)}</span></a></li>`
}

const badges = { pending: 'waiting', delivered: 'good', failed: 'bad', dropped: 'bad' }

const stateBadge = ({ state }: Delivery) => html`<span class="badge ${badges[state]}">${state}</span>`

function lastResponseText({ lastAnswer }: Delivery): string {
  if (!lastAnswer) return ''
  return ` · ${lastAnswer.status ?? lastAnswer.error} after ${lastAnswer.ms} ms`
}

function deliveryPage(shop: Shop, delivery: Delivery): Html {
  const { id, state, attempts, address, webhookId, eventId, triggeredAt, nextAt, body } = delivery
  return html`<dl class="headers card">
<dt>State</dt><dd>${stateBadge(delivery)}</dd>
<dt>Attempts</dt><dd>${attempts}${lastResponseText(delivery)}</dd>
${state === 'pending' ? html`<dt>Next attempt</dt><dd>${moment(new Date(nextAt).toISOString())}</dd>` : undefined}
<dt>Address</dt><dd>${address}</dd>
<dt>Webhook id</dt><dd>${webhookId}</dd>
<dt>Event id</dt><dd>${eventId}</dd>
<dt>Triggered</dt><dd>${triggeredAt}</dd>
</dl>
<form method="post" action="/shops/${shop.domain}/deliveries/${id}/resend" class="buttons">
<button>Send again</button></form>
<h2>Request body</h2>
<pre dir="auto">${body}</pre>`
}
