import { type Static, Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { type Html, html } from '../../../shared/html.ts'
import { refuseOtherSites } from '../forms.ts'
import { ShopParams } from '../shops/domain.ts'
import type { Shop } from '../shops/shop.ts'
import { type AdminOptions, act, Fields, pager, sendMissing, sendShopPage, withShop } from './layout.ts'
import { addProduct, changeProduct, changeVariant, productPage } from './product-page.ts'

const pageSize = 50

const ListQuery = Type.Object({
  page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 }),
  q: Type.String({ maxLength: 200, default: '' }),
})
const ItemParams = Type.Composite([ShopParams, Type.Object({ id: Type.String({ pattern: '^\\d{1,20}$' }) })])

type ListRoute = { Params: { shop: string }; Querystring: Static<typeof ListQuery>; Body: Fields }
type ItemRoute = { Params: Static<typeof ItemParams>; Body: Fields }

/** Pages with the products of a shop and their stock, and forms that change them. */
export function addProductRoutes(app: FastifyInstance, { shops }: AdminOptions) {
  const change = { schema: { params: ItemParams, body: Fields }, onRequest: refuseOtherSites }

  app.get<ListRoute>(
    '/shops/:shop/products',
    { schema: { params: ShopParams, querystring: ListQuery } },
    async (request, reply) =>
      withShop(shops, request, reply, (shop) =>
        sendShopPage(reply, shop, 'Products', productList(shop, request.query)),
      ),
  )

  app.get<ItemRoute>(
    '/shops/:shop/products/:id',
    { schema: { params: ItemParams } },
    async (request, reply) =>
      withShop(shops, request, reply, (shop) => {
        const number = shop.catalogue.productNumber(request.params.id)
        const product = number === undefined ? undefined : shop.catalogue.product(number)
        return number === undefined || !product
          ? sendMissing(reply, 'This product does not exist.')
          : sendShopPage(reply, shop, product.title, productPage(shop, number, product))
      }),
  )

  app.post<ListRoute>(
    '/shops/:shop/products',
    { schema: { params: ShopParams, body: Fields }, onRequest: refuseOtherSites },
    async (request, reply) =>
      withShop(shops, request, reply, (shop) =>
        act(reply, `/shops/${shop.domain}/products`, () => addProduct(shop, request.body)),
      ),
  )

  app.post<ItemRoute>('/shops/:shop/products/:id', change, async (request, reply) =>
    withShop(shops, request, reply, (shop) => {
      const list = `/shops/${shop.domain}/products`
      const { id } = request.params
      return act(reply, request.body.kind === 'delete' ? list : `${list}/${id}`, () =>
        changeProduct(shop, id, request.body),
      )
    }),
  )

  app.post<ItemRoute>('/shops/:shop/variants/:id', change, async (request, reply) =>
    withShop(shops, request, reply, (shop) => {
      const key = shop.catalogue.variantKey(request.params.id)
      const found = key && shop.catalogue.variant(key)
      if (!found) return sendMissing(reply, 'This variant does not exist.')
      const product = shop.catalogue.productId(found.product)
      return act(reply, `/shops/${shop.domain}/products/${product}#v${request.params.id}`, () =>
        changeVariant(shop, found, request.body),
      )
    }),
  )
}

function productList(shop: Shop, { page, q }: Static<typeof ListQuery>): Html {
  const { catalogue } = shop
  const found: number[] = []
  let skip = (page - 1) * pageSize
  for (let number = 0; number < catalogue.end() && found.length <= pageSize; number += 1) {
    if (!matchesSearch(shop, number, q)) continue
    if (skip > 0) skip -= 1
    else found.push(number)
  }
  const address = (target: number) => `?${new URLSearchParams({ q, page: String(target) }).toString()}`
  return html`<form class="buttons"><input type="search" name="q" value="${q}" placeholder="Title or SKU" aria-label="Search">
<button class="plain">Search</button></form>
${found.length === 0 ? html`<p>No products found.</p>` : html`<ul class="rows">${found.slice(0, pageSize).map((number) => productRow(shop, number))}</ul>`}
${pager(address, page, found.length > pageSize)}
<h2>Add a product</h2>
<form method="post" action="/shops/${shop.domain}/products" class="card fields">
<label>Title <input name="title" required maxlength="255" dir="auto"></label>
<label>SKU <input name="sku"></label>
<label>Price <input name="price" inputmode="decimal" required></label>
<div class="buttons"><button>Add</button></div>
</form>`
}

function matchesSearch(shop: Shop, number: number, q: string): boolean {
  const product = shop.catalogue.product(number)
  if (!product) return false
  const searchText = q.trim().toLowerCase()
  return [product.title, ...product.variants.map(({ sku }) => sku ?? '')].some((text) =>
    text.toLowerCase().includes(searchText),
  )
}

function productRow(shop: Shop, number: number): Html | undefined {
  const product = shop.catalogue.product(number)
  if (!product) return undefined
  const { variants } = product
  const count = variants.length === 1 ? (variants[0]?.sku ?? 'no SKU') : `${variants.length} variants`
  const total = variants.reduce((sum, { itemSlot, tracked }) => {
    const levels = tracked ? shop.stock.levelsOfItem({ product: number, slot: itemSlot }) : []
    return sum + levels.reduce((inner, { level }) => inner + level.available, 0)
  }, 0)
  return html`<li><a href="/shops/${shop.domain}/products/${shop.catalogue.productId(number)}">
<span class="name" dir="auto">${product.title}</span>
<span class="faint">${count}</span>
<span class="number">${variants.some(({ tracked }) => tracked) ? `${total} in stock` : 'not tracked'}</span></a></li>`
}
