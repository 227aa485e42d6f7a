import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../shared/config.ts'
import { html } from '../../shared/html.ts'
import { platformAddress } from '../../shared/platform/addresses.ts'
import { parseShopDomain } from '../../shared/platform/shop-domain.ts'
import { sendPage } from '../pages/page.ts'
import { HttpError } from './errors.ts'

/** Answers 404: an HTML page when a browser navigates, also inside a shop's admin, and a JSON failure otherwise. */
export function sendNotFound({ headers, query }: FastifyRequest, reply: FastifyReply, config: Config) {
  const message = 'This address does not exist.'
  if (headers['sec-fetch-mode'] !== 'navigate')
    throw new HttpError({ status: 404, code: 'not_found', message })
  const shopDomain = parseShopDomain(Object(query).shop, config.PLATFORM_SHOP_DOMAIN_SUFFIX)
  return sendPage(reply, {
    status: 404,
    title: 'Not found',
    content: html`<p>${message} The link may be outdated or incomplete.</p>
${shopDomain ? html`<p><a href="/?${String(new URLSearchParams(Object(query)))}">Go to the start page</a></p>` : ''}`,
    frameAncestors: shopDomain ? platformAddress(config, 'PLATFORM_FRAME_ANCESTORS', shopDomain) : undefined,
  })
}
