import { type Html, html } from '../../../shared/html.ts'
import type { FoundVariant } from '../shops/catalogue.ts'
import { type Product, variantTitle } from '../shops/seed.ts'
import type { Shop } from '../shops/shop.ts'
import { unavailableNames } from '../shops/stock.ts'
import type { Fields } from './layout.ts'

/** The states that the form of a variant changes, beside the available quantity. */
const otherStates = [...unavailableNames, 'incoming'] as const

export function addProduct(shop: Shop, fields: Fields): void {
  const title = fields.title?.trim()
  if (!title) throw new Error('A product needs a title.')
  const price = readAmount('price', fields.price?.trim() ?? '')
  shop.addProduct({ title, variants: [{ sku: fields.sku?.trim() || null, price }] })
}

/** Changes only the fields of the form, so that a request with a title alone keeps the others. */
export function changeProduct(shop: Shop, id: string, fields: Fields): void {
  if (fields.kind === 'delete') {
    shop.deleteProduct(id)
    return
  }
  const { title, vendor, productType, tags } = fields
  if (!title?.trim()) throw new Error('A product needs a title.')
  shop.editProduct(id, {
    title: title.trim(),
    ...(vendor !== undefined && { vendor: vendor.trim() }),
    ...(productType !== undefined && { productType: productType.trim() }),
    ...(tags !== undefined && { tags: tags.split(',').flatMap((tag) => tag.trim() || []) }),
  })
}

/** Changes only fields that differ, so that only their webhooks are sent. */
export function changeVariant(shop: Shop, { product, slot, variant }: FoundVariant, fields: Fields): void {
  const id = shop.catalogue.variantId(product, slot)
  const productId = shop.catalogue.productId(product)
  const price = readAmount('price', fields.price?.trim() ?? variant.price)
  const edit = { price, sku: fields.sku?.trim() || null, barcode: fields.barcode?.trim() || null }
  if (edit.price !== variant.price || edit.sku !== variant.sku || edit.barcode !== variant.barcode)
    shop.editProduct(productId, { variants: [{ id, ...edit }] })
  if (fields.cost !== undefined) {
    const cost = fields.cost.trim() === '' ? null : readAmount('cost', fields.cost.trim())
    if (cost !== variant.cost) shop.editProduct(productId, { variants: [{ id, cost }] })
  }
  for (const { id: location, isDeleted } of shop.locations)
    if (!isDeleted) changeStock(shop, id, location, fields)
}

function changeStock(shop: Shop, id: string, location: string, fields: Fields): void {
  const before = shop.statesOf(id, location)
  const read = (field: string) => {
    const text = fields[`${field}.${location}`]?.trim() ?? ''
    if (text !== '' && !/^-?\d{1,9}$/.test(text)) throw new Error('Stock must be a whole number.')
    return text === '' ? undefined : Number(text)
  }
  const names = [['stock', 'available'], ...otherStates.map((name) => [name, name] as const)] as const
  const changed = names.flatMap(([field, name]) => {
    const quantity = read(field)
    return quantity === undefined || quantity === before?.[name] ? [] : [[name, quantity] as const]
  })
  if (changed.length > 0) shop.setStates(id, location, Object.fromEntries(changed))
}

function readAmount(name: string, text: string): string {
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(text)) throw new Error(`A ${name} must be a number such as 9.50.`)
  return Number(text).toFixed(2)
}

export function productPage(shop: Shop, number: number, product: Product): Html {
  const id = shop.catalogue.productId(number)
  return html`<p class="faint">${shop.gid('Product', id)}</p>
<form method="post" action="/shops/${shop.domain}/products/${id}" class="card fields">
<label>Title <input name="title" value="${product.title}" required maxlength="255" dir="auto"></label>
<label>Vendor <input name="vendor" value="${product.vendor}" dir="auto"></label>
<label>Type <input name="productType" value="${product.productType}"></label>
<label>Tags <input name="tags" value="${product.tags.join(', ')}"></label>
<div class="buttons"><button>Save</button>
<button name="kind" value="delete" class="danger" formnovalidate>Delete the product</button></div>
</form>
<h2>Variants and their stock</h2>
${product.variants.map((variant) =>
  variantForm(shop, { product: number, slot: variant.slot, variant, inProduct: product }),
)}`
}

function variantForm(shop: Shop, { product, slot, variant }: FoundVariant): Html {
  const id = shop.catalogue.variantId(product, slot)
  const stocked = shop.locations.filter(({ isActive }) => isActive)
  return html`<details class="card" id="v${id}"><summary><span dir="auto">${variantTitle(variant)}</span>
<span class="faint">${variant.sku ?? 'no SKU'} · ${variant.price} ${shop.facts.currency}</span></summary>
<form method="post" action="/shops/${shop.domain}/variants/${id}" class="fields">
<p class="faint">${shop.gid('ProductVariant', id)}${variant.tracked ? '' : ' · stock not tracked'}</p>
<label>Price <input name="price" value="${variant.price}" inputmode="decimal" required></label>
<label>Cost <input name="cost" value="${variant.cost ?? ''}" inputmode="decimal"></label>
<label>SKU <input name="sku" value="${variant.sku ?? ''}"></label>
<label>Barcode <input name="barcode" value="${variant.barcode ?? ''}"></label>
${stocked.map((location) => stockFields(shop, id, location))}
<div class="buttons"><button>Save</button></div>
</form></details>`
}

function stockFields(shop: Shop, id: string, { id: location, name }: { id: string; name: string }): Html {
  const states = shop.statesOf(id, location)
  return html`<label>${name} <input name="stock.${location}" value="${states?.available ?? ''}" inputmode="numeric" pattern="-?[0-9]+" placeholder="not stocked"></label>
${
  states &&
  html`<details><summary class="faint">${states.on_hand} on hand, ${states.committed} committed</summary>
${otherStates.map(
  (state) =>
    html`<label>${state.replace('_', ' ')} <input name="${state}.${location}" value="${states[state]}" inputmode="numeric" pattern="[0-9]+"></label>`,
)}</details>`
}`
}
