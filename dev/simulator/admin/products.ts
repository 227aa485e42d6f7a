import { type Static, Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { type Html, html } from '../../../shared/html.ts'
import { refuseOtherSites } from '../forms.ts'
import type { FoundVariant } from '../shops/catalogue.ts'
import { ShopParams } from '../shops/domain.ts'
import { variantTitle } from '../shops/seed.ts'
import type { Shop } from '../shops/shop.ts'
import { type AdminOptions, act, pager, sendMissing, sendShopPage, withShop } from './layout.ts'

const pageSize = 50

const ListQuery = Type.Object({
  page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 }),
  q: Type.String({ maxLength: 200, default: '' }),
})
const ItemParams = Type.Composite([ShopParams, Type.Object({ id: Type.String({ pattern: '^\\d{1,20}$' }) })])
const Fields = Type.Record(Type.String(), Type.String({ maxLength: 1000 }))

type ListRoute = { Params: { shop: string }; Querystring: Static<typeof ListQuery> }
type ItemRoute = { Params: Static<typeof ItemParams>; Body: Static<typeof Fields> }

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
          : sendShopPage(reply, shop, product.title, productPage(shop, number))
      }),
  )

  app.post<ItemRoute>('/shops/:shop/products/:id', change, async (request, reply) =>
    withShop(shops, request, reply, (shop) =>
      act(reply, `/shops/${shop.domain}/products/${request.params.id}`, () => {
        const title = request.body.title?.trim()
        if (!title) throw new Error('A product needs a title.')
        shop.editProduct(request.params.id, { title })
      }),
    ),
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

/** Changes only fields that differ, so that only their webhooks are sent. */
function changeVariant(
  shop: Shop,
  { product, slot, variant }: FoundVariant,
  fields: Static<typeof Fields>,
): void {
  const id = shop.catalogue.variantId(product, slot)
  const price = fields.price?.trim() ?? variant.price
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(price)) throw new Error('A price must be a number such as 9.50.')
  const edit = {
    price: Number(price).toFixed(2),
    sku: fields.sku?.trim() || null,
    barcode: fields.barcode?.trim() || null,
  }
  if (edit.price !== variant.price || edit.sku !== variant.sku || edit.barcode !== variant.barcode)
    shop.editProduct(shop.catalogue.productId(product), { variants: [{ id, ...edit }] })
  for (const { id: location } of shop.locations) {
    const text = fields[`stock.${location}`]?.trim() ?? ''
    const before = shop.stockOf(id, location)
    if (text === '' || text === String(before)) continue
    if (!/^-?\d{1,9}$/.test(text)) throw new Error('Stock must be a whole number.')
    shop.setStock(id, location, Number(text))
  }
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
${pager(address, page, found.length > pageSize)}`
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

function productPage(shop: Shop, number: number): Html {
  const product = shop.catalogue.product(number)
  const id = shop.catalogue.productId(number)
  return html`<p class="faint">${shop.gid('Product', id)} · ${product?.vendor ?? ''}</p>
<form method="post" action="/shops/${shop.domain}/products/${id}" class="card fields">
<label>Title <input name="title" value="${product?.title ?? ''}" required maxlength="255" dir="auto"></label>
<div class="buttons"><button>Save the title</button></div>
</form>
<h2>Variants and their stock</h2>
${(product?.variants ?? []).map((variant) =>
  product
    ? variantForm(shop, { product: number, slot: variant.slot, variant, inProduct: product })
    : undefined,
)}`
}

function variantForm(shop: Shop, { product, slot, variant }: FoundVariant): Html {
  const id = shop.catalogue.variantId(product, slot)
  const levels = shop.locations.map(({ id: location, name, isActive }) => {
    const available = shop.stockOf(id, location)
    return isActive
      ? html`<label>${name} <input name="stock.${location}" value="${available ?? ''}" inputmode="numeric" pattern="-?[0-9]+" placeholder="not stocked"></label>`
      : undefined
  })
  return html`<details class="card" id="v${id}"><summary><span dir="auto">${variantTitle(variant)}</span>
<span class="faint">${variant.sku ?? 'no SKU'} · ${variant.price} ${shop.facts.currency}</span></summary>
<form method="post" action="/shops/${shop.domain}/variants/${id}" class="fields">
<p class="faint">${shop.gid('ProductVariant', id)}${variant.tracked ? '' : ' · stock not tracked'}</p>
<label>Price <input name="price" value="${variant.price}" inputmode="decimal" required></label>
<label>SKU <input name="sku" value="${variant.sku ?? ''}"></label>
<label>Barcode <input name="barcode" value="${variant.barcode ?? ''}"></label>
${levels}
<div class="buttons"><button>Save</button></div>
</form></details>`
}
