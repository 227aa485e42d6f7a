import { type Static, Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { type Html, html } from '../../../shared/html.ts'
import { refuseOtherSites } from '../forms.ts'
import { ShopParams } from '../shops/domain.ts'
import { fulfillmentOf, unitsOf } from '../shops/order-lines.ts'
import { type Order, type RestockType, restockTypes } from '../shops/orders.ts'
import type { Shop } from '../shops/shop.ts'
import { type AdminOptions, act, Fields, moment, sendMissing, sendShopPage, withShop } from './layout.ts'

const Params = Type.Composite([ShopParams, Type.Object({ id: Type.String({ pattern: '^\\d{1,20}$' }) })])
type Route = { Params: Static<typeof Params>; Body: Fields }

/** The page of an order, with buttons that ship, edit, refund, cancel and delete it. */
export function addOrderPage(app: FastifyInstance, { shops }: AdminOptions) {
  const path = '/shops/:shop/orders/:id'
  const find = (shop: Shop, id: string) => shop.orders().find((order) => order.id === id)

  app.get<Route>(path, { schema: { params: Params } }, async (request, reply) =>
    withShop(shops, request, reply, (shop) => {
      const order = find(shop, request.params.id)
      return order
        ? sendShopPage(reply, shop, `Order #${order.number}`, orderPage(shop, order))
        : sendMissing(reply, 'This order does not exist.')
    }),
  )

  const schema = { params: Params, body: Fields }
  app.post<Route>(path, { schema, onRequest: refuseOtherSites }, async (request, reply) =>
    withShop(shops, request, reply, (shop) => {
      const order = find(shop, request.params.id)
      if (!order) return sendMissing(reply, 'This order does not exist.')
      const list = `/shops/${shop.domain}/orders`
      const next = request.body.kind === 'delete' ? list : `${list}/${order.id}`
      return act(reply, next, () => change(shop, order, request.body))
    }),
  )
}

function change(shop: Shop, order: Order, fields: Fields): void {
  const units = order.lines.flatMap(({ id }) => {
    const quantity = Number(fields[`quantity.${id}`]?.trim() || '0')
    return quantity === 0 ? [] : [{ lineId: id, quantity }]
  })
  const restock = fields.restock === 'on'
  switch (fields.kind) {
    case 'ship':
      shop.fulfillOrder(order.id, units.length > 0 ? units : undefined)
      return
    case 'edit':
      if (units.length === 0) throw new Error('Enter how many units the edit removes.')
      shop.editOrder(order.id, { remove: units, restock })
      return
    case 'cancel':
      shop.cancelOrder(order.id, { restock })
      return
    case 'delete':
      shop.deleteOrder(order.id)
      return
    default: {
      const restockType = restockTypes.find((known) => fields.kind === `refund-${known}`)
      if (!restockType) throw new Error('Unknown action.')
      shop.refundOrder(
        order.id,
        units.map((line) => ({ ...line, restockType })),
      )
    }
  }
}

const refundLabels: Record<RestockType, string> = {
  cancel: 'Refund unshipped units',
  return: 'Refund returned units',
  no_restock: 'Refund without restock',
}

function orderPage(shop: Shop, order: Order): Html {
  const facts = [
    order.cancelledAt ? 'cancelled' : fulfillmentOf(order),
    order.isTest ? 'test order' : '',
    order.discountCode === null ? '' : `code ${order.discountCode}`,
  ].filter((fact) => fact !== '')
  return html`<p class="faint">${moment(order.createdAt)} · ${facts.join(', ')} · changed ${moment(order.updatedAt)}</p>
<form method="post" action="/shops/${shop.domain}/orders/${order.id}" class="card fields">
${order.lines.map((line) => {
  const { current, shipped, unshipped } = unitsOf(order, line)
  return html`<label><span dir="auto">${line.title}${line.variantTitle ? ` · ${line.variantTitle}` : ''}</span>
<span class="faint">${line.quantity} ordered, ${current} kept, ${shipped} shipped, ${unshipped} to ship</span>
<input name="quantity.${line.id}" inputmode="numeric" pattern="[0-9]*" placeholder="units"></label>`
})}
<label><input type="checkbox" name="restock" checked> Restock what an edit or a cancellation removes</label>
<div class="buttons"><button name="kind" value="ship">Ship</button>
<button name="kind" value="edit" class="plain">Remove by an edit</button>
<button name="kind" value="cancel" class="plain">Cancel the order</button></div>
<div class="buttons">${restockTypes.map(
    (type) => html`<button name="kind" value="refund-${type}" class="plain">${refundLabels[type]}</button>`,
  )}
<button name="kind" value="delete" class="danger">Delete the order</button></div>
<p class="faint">Without units, “Ship” ships all that is left.</p>
</form>`
}
