import cookie from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../shared/config.ts'
import { installShop, startInstallation, takeInstallationState } from '../../shared/domain/shops/install.ts'
import { html } from '../../shared/html.ts'
import { platformAddress } from '../../shared/platform/addresses.ts'
import { CodeExchangeError, exchangeCode } from '../../shared/platform/code-exchange.ts'
import { createSignatureCheck } from '../../shared/platform/hmac.ts'
import { presets } from '../../shared/platform/presets.ts'
import { readQuery, readSignedQuery, type SignedQuery } from '../../shared/platform/query-signature.ts'
import { parseShopDomain } from '../../shared/platform/shop-domain.ts'
import { createTokenCipher } from '../../shared/token-cipher.ts'
import { sendPage } from './page.ts'

const cookieName = 'quartermaster_installation'
const lifetimeSeconds = 600
const clockSkewSeconds = 90

/**
 * The installation by OAuth (specification, "Installation flow"). `GET /auth?shop=` sends the merchant to the
 * platform, `GET /auth/callback` takes them back: signed by the platform, with the state that this browser was given
 * for this shop, once. Whatever is forged, replayed, mixed or late gets a page, and nothing is stored.
 */
export async function auth(app: FastifyInstance, { config }: { config: Config }): Promise<void> {
  const hasSigned = createSignatureCheck(config)
  const cipher = createTokenCipher(config)
  const isSecure = config.APP_URL.startsWith('https://')
  const cookieOptions = { path: '/auth', httpOnly: true, sameSite: 'lax', secure: isSecure } as const
  const schema = { hide: true }
  await app.register(cookie)

  app.get('/auth', { schema }, async (request, reply) => {
    const search = searchOf(request)
    const query = /(^|&)hmac=/.test(search) ? readSignedQuery(search, hasSigned) : readQuery(search)
    const shopDomain = query && isFresh(query) && shopOf(query)
    if (!shopDomain)
      return refuse(reply, 'This link does not name a shop. Open the app from your shop admin.')

    const state = await startInstallation(app.db, shopDomain)
    const address = new URL(`${platformAddress(config, 'PLATFORM_SHOP_AUTH_URL', shopDomain)}/authorize`)
    address.search = new URLSearchParams({
      client_id: config.PLATFORM_API_KEY,
      scope: config.PLATFORM_SCOPES,
      redirect_uri: `${config.APP_URL}/auth/callback`,
      state,
    }).toString()
    return reply
      .setCookie(cookieName, state, { ...cookieOptions, maxAge: lifetimeSeconds })
      .header('cache-control', 'no-store')
      .redirect(address.href, 302)
  })

  app.get('/auth/callback', { schema }, async (request, reply) => {
    const query = readSignedQuery(searchOf(request), hasSigned)
    if (!query)
      return refuse(reply, 'This address was not made by the platform, or was changed on its way.', 401)
    const shopDomain = isFresh(query) && shopOf(query)
    const [code, state] = [query.get('code'), query.get('state')]
    if (!shopDomain || !code || !state) return refuse(reply, 'This address is not complete, or too old.')
    const isOurs =
      request.cookies[cookieName] === state && (await takeInstallationState(app.db, shopDomain, state))
    reply.clearCookie(cookieName, cookieOptions)
    if (!isOurs)
      return refuse(reply, 'This installation was begun elsewhere, too long ago, or is done already.')
    try {
      await installShop(app.db, cipher, shopDomain, await exchangeCode(config, shopDomain, code))
    } catch (error) {
      if (!(error instanceof CodeExchangeError)) throw error
      request.log.warn({ err: error }, 'installation failed')
      return refuse(
        reply,
        'The platform did not confirm the installation. Start it again from your shop admin.',
        502,
      )
    }
    request.log.info({ shopDomain }, 'installed')
    const admin = platformAddress(config, 'PLATFORM_ADMIN_APP_URL', shopDomain)
    return reply
      .header('cache-control', 'no-store')
      .header('referrer-policy', 'no-referrer')
      .redirect(admin, 302)
  })

  const shopOf = (query: SignedQuery) =>
    parseShopDomain(query.get('shop'), config.PLATFORM_SHOP_DOMAIN_SUFFIX)

  /** A signed address says when it was signed; some platforms always do. */
  function isFresh(query: SignedQuery): boolean {
    const timestamp = query.get('timestamp')
    if (!query.has('hmac')) return true
    if (timestamp === undefined) return !presets[config.PLATFORM].signsTime
    return /^\d{1,12}$/.test(timestamp) && Math.abs(Date.now() / 1000 - Number(timestamp)) <= clockSkewSeconds
  }
}

const searchOf = (request: FastifyRequest) => request.raw.url?.split('?').slice(1).join('?') ?? ''

function refuse(reply: FastifyReply, sentence: string, status = 400): FastifyReply {
  const title = 'The app was not installed'
  return sendPage(reply, { status, title, content: html`<p>${sentence}</p>` })
}
