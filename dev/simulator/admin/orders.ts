import { type Static, Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { type Html, html } from '../../../shared/html.ts'
import { refuseOtherSites } from '../forms.ts'
import { ShopParams } from '../shops/domain.ts'
import { fulfillmentOf } from '../shops/order-lines.ts'
import type { LineInput } from '../shops/order-placing.ts'
import type { Order } from '../shops/orders.ts'
import { variantTitle } from '../shops/seed.ts'
import type { Shop } from '../shops/shop.ts'
import { type AdminOptions, act, Fields, moment, pager, sendShopPage, withShop } from './layout.ts'

const pageSize = 50
const rows = [1, 2, 3, 4, 5]
/** The form suggests at most this many variants. Others can be typed. */
const maxSuggestions = 1000

const ListQuery = Type.Object({ page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 }) })

type Route = { Params: { shop: string }; Querystring: Static<typeof ListQuery>; Body: Fields }

/** Pages with the list of orders and a form that places one. */
export function addOrderRoutes(app: FastifyInstance, { shops }: AdminOptions) {
  app.get<Route>(
    '/shops/:shop/orders',
    { schema: { params: ShopParams, querystring: ListQuery } },
    async (request, reply) =>
      withShop(shops, request, reply, (shop) =>
        sendShopPage(reply, shop, 'Orders', ordersPage(shop, request.query.page)),
      ),
  )

  app.post<Route>(
    '/shops/:shop/orders',
    { schema: { params: ShopParams, body: Fields }, onRequest: refuseOtherSites },
    async (request, reply) =>
      withShop(shops, request, reply, (shop) =>
        act(reply, `/shops/${shop.domain}/orders`, () => placeOrder(shop, request.body)),
      ),
  )
}

function placeOrder(shop: Shop, fields: Fields): void {
  if (fields.kind === 'random') {
    shop.placeRandomOrder()
    return
  }
  if (fields.draft !== undefined) {
    shop.completeDraftOrder(fields.draft)
    return
  }
  const lines = rows.flatMap((row): LineInput[] => {
    const text = fields[`variant${row}`]?.trim() ?? ''
    if (text === '') return []
    const quantity = Number(fields[`quantity${row}`] || '1')
    if (!Number.isInteger(quantity) || quantity < 1 || quantity > 100_000)
      throw new Error('A quantity must be a whole number from 1 to 100000.')
    return [{ variantId: findVariant(shop, text), quantity }]
  })
  if (lines.length === 0) throw new Error('Pick at least one variant.')
  if (fields.kind === 'draft') shop.addDraftOrder(lines)
  else shop.placeOrder(lines, { isTest: fields.isTest === 'on' })
}

/** Finds a variant by its SKU, its id, or the digits of its id. */
function findVariant(shop: Shop, text: string): string {
  const { catalogue } = shop
  if (/^\d+$|^gid:/.test(text)) {
    const { product, slot } = shop.variantKey(text)
    return catalogue.variantId(product, slot)
  }
  for (let number = 0; number < catalogue.end(); number += 1) {
    const variant = catalogue.product(number)?.variants.find(({ sku }) => sku === text)
    if (variant) return catalogue.variantId(number, variant.slot)
  }
  throw new Error(`No variant has the SKU ${text}.`)
}

function ordersPage(shop: Shop, page: number): Html {
  const orders = shop.orders().toReversed()
  const shown = orders.slice((page - 1) * pageSize, page * pageSize)
  return html`<form method="post" action="/shops/${shop.domain}/orders" class="card fields">
${rows.map((row) => lineFields(row))}
<datalist id="variants">${variantOptions(shop)}</datalist>
<label><input type="checkbox" name="isTest"> Test order</label>
<div class="buttons"><button name="kind" value="picked">Place the order</button>
<button name="kind" value="draft" class="plain">Save as a draft</button>
<button name="kind" value="random" class="plain">Random order</button></div>
</form>
${draftList(shop)}
<h2>${orders.length} orders, newest first</h2>
${shown.length === 0 ? undefined : html`<ul class="rows">${shown.map((order) => orderRow(shop, order))}</ul>`}
${pager((target) => `?page=${target}`, page, orders.length > page * pageSize)}`
}

const lineFields = (row: number) => html`<div class="line">
<input name="variant${row}" list="variants" placeholder="SKU" aria-label="Variant ${row}">
<input name="quantity${row}" type="number" min="1" step="1" placeholder="1" aria-label="Quantity ${row}"></div>`

function variantOptions(shop: Shop): Html[] {
  const options: Html[] = []
  for (let number = 0; number < shop.catalogue.end() && options.length < maxSuggestions; number += 1) {
    const product = shop.catalogue.product(number)
    for (const variant of product?.variants ?? []) {
      const value = variant.sku ?? shop.catalogue.variantId(number, variant.slot)
      const name = `${product?.title ?? ''}${variant.values.length > 0 ? ` · ${variantTitle(variant)}` : ''}`
      options.push(html`<option value="${value}">${name}</option>`)
    }
  }
  return options
}

/** The drafts that are no orders yet. */
function draftList(shop: Shop): Html | undefined {
  const drafts = shop.draftOrders().filter(({ orderId }) => orderId === null)
  if (drafts.length === 0) return undefined
  return html`<h2>Draft orders</h2>
${drafts.map(
  ({ id, number, lines }) => html`<form method="post" action="/shops/${shop.domain}/orders" class="buttons">
<input type="hidden" name="draft" value="${id}"><span>#D${number}, ${lines.length} lines</span>
<button class="plain">Make it an order</button></form>`,
)}`
}

function orderRow(shop: Shop, order: Order): Html {
  const items = order.lines.map(({ quantity, title }) => `${quantity} × ${title}`).join(', ')
  const state = order.cancelledAt ? 'cancelled' : fulfillmentOf(order)
  const notes = [state, order.isTest && 'test'].filter(Boolean).join(', ')
  return html`<li><a href="/shops/${shop.domain}/orders/${order.id}"><span class="name">#${order.number}</span>
<span dir="auto">${items}</span>
<span class="faint">${moment(order.createdAt)}· ${notes}</span></a></li>`
}
