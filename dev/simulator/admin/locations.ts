import { type Static, Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { type Html, html } from '../../../shared/html.ts'
import { refuseOtherSites } from '../forms.ts'
import { ShopParams } from '../shops/domain.ts'
import type { Location } from '../shops/locations.ts'
import type { Address } from '../shops/seed.ts'
import type { Shop } from '../shops/shop.ts'
import { type AdminOptions, act, Fields, sendShopPage, withShop } from './layout.ts'

const ItemParams = Type.Composite([ShopParams, Type.Object({ id: Type.String({ pattern: '^\\d{1,20}$' }) })])
type Route = { Params: { shop: string }; Body: Fields }
type ItemRoute = { Params: Static<typeof ItemParams>; Body: Fields }

/** A page with the locations of a shop, and forms that add, change, deactivate and delete them. */
export function addLocationRoutes(app: FastifyInstance, { shops }: AdminOptions) {
  const path = '/shops/:shop/locations'
  const onRequest = refuseOtherSites

  app.get<Route>(path, { schema: { params: ShopParams } }, async (request, reply) =>
    withShop(shops, request, reply, (shop) => sendShopPage(reply, shop, 'Locations', locationsPage(shop))),
  )

  app.post<Route>(path, { schema: { params: ShopParams, body: Fields }, onRequest }, async (request, reply) =>
    withShop(shops, request, reply, (shop) =>
      act(reply, `/shops/${shop.domain}/locations`, () => void shop.addLocation(readLocation(request.body))),
    ),
  )

  app.post<ItemRoute>(
    `${path}/:id`,
    { schema: { params: ItemParams, body: Fields }, onRequest },
    async (request, reply) =>
      withShop(shops, request, reply, (shop) =>
        act(reply, `/shops/${shop.domain}/locations`, () => change(shop, request.params.id, request.body)),
      ),
  )
}

function change(shop: Shop, id: string, fields: Fields): void {
  if (fields.kind === 'activate') shop.activateLocation(id)
  else if (fields.kind === 'deactivate') shop.deactivateLocation(id)
  else if (fields.kind === 'delete') shop.deleteLocation(id)
  else shop.editLocation(id, readLocation(fields))
}

const addressFields = [
  ['address1', 'Street'],
  ['address2', 'Second line'],
  ['city', 'City'],
  ['zip', 'Postal code'],
] as const satisfies readonly (readonly [keyof Address, string])[]

function readLocation(fields: Fields) {
  const name = fields.name?.trim()
  if (!name) throw new Error('A location needs a name.')
  const address = Object.fromEntries(addressFields.map(([field]) => [field, fields[field]?.trim() ?? '']))
  return { name, phone: fields.phone?.trim() ?? '', address }
}

function locationsPage(shop: Shop): Html {
  const shown = shop.locations.filter(({ isDeleted }) => !isDeleted)
  return html`${shown.map((location) => locationForm(shop, location))}
<h2>Add a location</h2>
<form method="post" action="/shops/${shop.domain}/locations" class="card fields">
${locationFields()}
<div class="buttons"><button>Add</button></div>
</form>`
}

function locationForm(shop: Shop, location: Location): Html {
  const { id, name, isActive, address } = location
  return html`<details class="card"><summary><span dir="auto">${name}</span>
<span class="faint">${address.address1}, ${address.city} ${address.zip}${isActive ? '' : ' · deactivated'}</span></summary>
<form method="post" action="/shops/${shop.domain}/locations/${id}" class="fields">
<p class="faint">${shop.gid('Location', id)}</p>
${locationFields(location)}
<div class="buttons"><button>Save</button>
${
  isActive
    ? html`<button name="kind" value="deactivate" class="plain">Deactivate</button>`
    : html`<button name="kind" value="activate" class="plain">Activate</button>
<button name="kind" value="delete" class="danger">Delete</button>`
}</div>
</form></details>`
}

const locationFields = (
  location?: Location,
) => html`<label>Name <input name="name" value="${location?.name ?? ''}" required></label>
<label>Phone <input name="phone" value="${location?.phone ?? ''}"></label>
${addressFields.map(
  ([field, label]) =>
    html`<label>${label} <input name="${field}" value="${location?.address[field] ?? ''}"></label>`,
)}`
