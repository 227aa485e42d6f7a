import { type Static, Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Html, html } from '../../../shared/html.ts'
import { type PageOptions, sendPage } from '../pages.ts'
import type { Shop } from '../shops/shop.ts'
import type { Shops } from '../shops/shops.ts'

export type AdminOptions = { shops: Shops; apiKey: string; appUrl: () => string | undefined }

/** The fields of a form. */
export const Fields = Type.Record(Type.String(), Type.String({ maxLength: 1000 }))
export type Fields = Static<typeof Fields>

const tabs = [
  ['', 'Overview'],
  ['/products', 'Products'],
  ['/orders', 'Orders'],
  ['/locations', 'Locations'],
  ['/deliveries', 'Deliveries'],
  ['/admin', 'Quartermaster'],
] as const

/**
 * Sends a page of a shop's admin. Beside it are the shop's name and pages and, while the app is shown in its frame, the
 * pages of the app (`bridge/admin-frame.js`).
 */
export function sendShopPage(
  reply: FastifyReply,
  shop: Shop,
  title: string,
  content: Html,
  options: PageOptions = {},
): FastifyReply {
  const path = reply.request.url.split('?')[0] ?? ''
  const links = tabs.map(([suffix, name]) => {
    const address = `/shops/${shop.domain}${suffix}`
    const isCurrent = suffix === '' ? path === address : path.startsWith(address)
    return isCurrent
      ? html`<a href="${address}" aria-current="page">${name}</a>`
      : html`<a href="${address}">${name}</a>`
  })
  const side = html`<p class="shop"><strong>${shop.facts.name}</strong> <span class="faint">${shop.domain}</span></p>
<nav class="pages" aria-label="Shop">${links}</nav>
${options.frames ? html`<nav class="pages app-pages" aria-label="Quartermaster"></nav>` : undefined}`
  const page = options.frames ? content : html`<h1>${title}</h1>${content}`
  return sendPage(reply, `${title} · ${shop.facts.name}`, page, { ...options, side })
}

/** Runs `show` with the shop of the path, or sends a 404 page. */
export async function withShop(
  shops: Shops,
  request: FastifyRequest<{ Params: { shop: string } }>,
  reply: FastifyReply,
  show: (shop: Shop) => FastifyReply,
): Promise<FastifyReply> {
  const shop = shops.find(request.params.shop)
  return shop ? show(shop) : sendMissing(reply, 'The simulator has no shop of this name.')
}

export function sendMissing(reply: FastifyReply, message: string): FastifyReply {
  const content = html`<h1>Not found</h1><p>${message} <a href="/">Back to the simulator</a></p>`
  return sendPage(reply.code(404), 'Not found', content)
}

/** Runs the action of a form and redirects to `next`. An error is shown on a page. */
export function act(reply: FastifyReply, next: string, work: () => void): FastifyReply {
  try {
    work()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const content = html`<h1>The change failed</h1><p>${message}</p><p><a href="${next}">Back</a></p>`
    return sendPage(reply.code(400), 'The change failed', content)
  }
  return reply.redirect(next, 303)
}

/** Formats an instant in the time zone of this machine, which is the reader's. */
export const moment = (instant: string) =>
  new Date(instant).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })

/** Links to the previous and the next page. */
export function pager(address: (page: number) => string, page: number, isMore: boolean): Html {
  return html`<p class="pager">${page > 1 ? html`<a href="${address(page - 1)}">Previous page</a>` : undefined}
${isMore ? html`<a href="${address(page + 1)}">Next page</a>` : undefined}</p>`
}
