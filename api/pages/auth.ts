import cookie from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../shared/config.ts'
import {
  consumeInstallationState,
  installShop,
  startInstallation,
} from '../../shared/domain/exchange/install/install.ts'
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
 * The OAuth installation (specification, "Installation flow"):
 * 1. `GET /auth?shop=` stores a state, sets it as a cookie and redirects the merchant to the platform.
 * 2. The platform redirects to `GET /auth/callback` with a signature, the state and a code.
 * 3. The callback checks the signature, the age and the state, which is valid once and for this browser and shop.
 * 4. It exchanges the code for the access token and stores the shop.
 * A failed check answers with an error page and stores nothing.
 */
export async function auth(app: FastifyInstance, { config }: { config: Config }): Promise<void> {
  const isSigned = createSignatureCheck(config)
  const cipher = createTokenCipher(config)
  const isSecure = config.APP_URL.startsWith('https://')
  const cookieOptions = { path: '/auth', httpOnly: true, sameSite: 'lax', secure: isSecure } as const
  const schema = { hide: true }
  await app.register(cookie)

  app.get('/auth', { schema }, async (request, reply) => {
    const search = searchOf(request)
    const query = /(^|&)hmac=/.test(search) ? readSignedQuery(search, isSigned) : readQuery(search)
    const shopDomain = query && isFresh(query) && shopOf(query)
    if (!shopDomain)
      return refuse(reply, 'This link contains no valid shop. Open the app from your shop admin.')

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
    const query = readSignedQuery(searchOf(request), isSigned)
    if (!query) {
      return refuse(reply, 'The signature of this link is not valid. Open the app from your shop admin.', 401)
    }
    const shopDomain = isFresh(query) && shopOf(query)
    const [code, state] = [query.get('code'), query.get('state')]
    if (!shopDomain || !code || !state) {
      return refuse(reply, 'This link is incomplete or has expired. Open the app from your shop admin.')
    }
    const isValidState =
      request.cookies[cookieName] === state && (await consumeInstallationState(app.db, shopDomain, state))
    reply.clearCookie(cookieName, cookieOptions)
    if (!isValidState)
      return refuse(
        reply,
        'This installation was started in another browser, has expired, or is already complete. Open the app from your shop admin.',
      )
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

  /** Checks the age of a signed query. When the platform always signs a timestamp, a query without one is invalid. */
  function isFresh(query: SignedQuery): boolean {
    const timestamp = query.get('timestamp')
    if (!query.has('hmac')) return true
    if (timestamp === undefined) return !presets[config.PLATFORM].signsTime
    return /^\d{1,12}$/.test(timestamp) && Math.abs(Date.now() / 1000 - Number(timestamp)) <= clockSkewSeconds
  }
}

const searchOf = (request: FastifyRequest) => request.raw.url?.split('?').slice(1).join('?') ?? ''

function refuse(reply: FastifyReply, message: string, status = 400): FastifyReply {
  const title = 'The app was not installed'
  return sendPage(reply, { status, title, content: html`<p>${message}</p>` })
}
