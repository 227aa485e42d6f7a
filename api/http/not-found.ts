import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../shared/config.ts'
import { html } from '../../shared/html.ts'
import { platformAddress } from '../../shared/platform/addresses.ts'
import { parseShopDomain } from '../../shared/platform/shop-domain.ts'
import { sendPage } from '../pages/page.ts'
import { HttpError } from './errors.ts'

/**
 * For an address that leads nowhere: a page to people whose browser has gone there, also in the frame of a shop's admin;
 * to programs a failure as the API's.
 */
export function sendNotFound({ headers, query }: FastifyRequest, reply: FastifyReply, config: Config) {
  const message = 'There is nothing at this address.'
  if (headers['sec-fetch-mode'] !== 'navigate')
    throw new HttpError({ status: 404, code: 'not_found', message })
  const shopDomain = parseShopDomain(Object(query).shop, config.PLATFORM_SHOP_DOMAIN_SUFFIX)
  return sendPage(reply, {
    status: 404,
    title: 'Not found',
    content: html`<p>${message} The link may be old, or not complete.</p>
${shopDomain ? html`<p><a href="/?${String(new URLSearchParams(Object(query)))}">To the start</a></p>` : ''}`,
    frameAncestors: shopDomain ? platformAddress(config, 'PLATFORM_FRAME_ANCESTORS', shopDomain) : undefined,
  })
}
