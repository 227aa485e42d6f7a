import AjvCompiler from '@fastify/ajv-compiler'
import Fastify, { type FastifyInstance } from 'fastify'
import { addAdminRoutes } from './admin/routes.ts'
import { addBridgeRoutes } from './bridge/routes.ts'
import { addFaultRoutes, createFaultScript, type FaultScript } from './faults.ts'
import { readForms } from './forms.ts'
import { addGraphqlRoute } from './graphql/route.ts'
import { addInboxRoutes } from './inbox.ts'
import { type Mail, openMails } from './mails.ts'
import { addAccessTokenRoute } from './oauth/access-token.ts'
import { addAuthorizeRoutes } from './oauth/authorize.ts'
import type { PlatformOptions } from './options.ts'
import { addPages } from './pages.ts'
import { addPictureRoute } from './pictures.ts'
import { addPostmarkRoutes } from './postmark.ts'
import { addSessionTokenRoutes, mintSessionToken } from './session-token.ts'
import { openPlatformShops } from './shops/open.ts'
import type { Shops } from './shops/shops.ts'

export type { PlatformOptions } from './options.ts'

export type Platform = {
  /** Its origin, without a trailing slash. */
  url: string
  port: number
  /** The scripted faults of the next mails, searches, requests and webhooks. */
  faults: FaultScript
  mails: () => readonly Mail[]
  shops: Shops
  mintSessionToken: (shop: string, lifetimeSeconds?: number) => Promise<string>
  /** Sets the app's address when it was not known at the start. */
  setAppUrl: (url: string) => void
  /** Resolves when no webhook is pending. A failing one is pending for 48 hours times `retryScale`. */
  settled: () => Promise<void>
  /** Closes all connections, hanging ones included, and writes the state file. */
  close: () => Promise<void>
}

/** Larger than Postmark's limit, so that the simulator can return Postmark's error. */
const bodyLimit = 16 * 1024 * 1024

/** Compiles each schema once for all platforms of a process: compiling them takes longer than everything else in a start. */
const buildValidator = AjvCompiler()

/** Starts the simulator on 127.0.0.1. Throws EADDRINUSE when the port is in use. */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const { apiKey, apiSecret, serverToken, mailFolder, port = 0 } = options
  const { autoApprove = false, expiringTokens = false } = options
  const mails = await openMails(mailFolder)
  const faults = createFaultScript()
  let { appUrl } = options
  let origin = ''
  const { shops, settled, closeShops } = await openPlatformShops(
    options,
    faults,
    () => appUrl,
    () => origin,
  )
  const oauth = { shops, apiKey, apiSecret, appUrl: () => appUrl, autoApprove, expiringTokens, faults }

  const app = Fastify({
    bodyLimit,
    forceCloseConnections: true,
    schemaController: { compilersFactory: { buildValidator } },
  })
  refuseOtherHosts(app)
  readForms(app)
  addPages(app, () => shops.all())
  addBridgeRoutes(app, faults)
  addPictureRoute(app)
  addSessionTokenRoutes(app, { apiKey, apiSecret })
  addAuthorizeRoutes(app, oauth)
  addAccessTokenRoute(app, oauth)
  addAdminRoutes(app, { shops, apiKey, appUrl: () => appUrl })
  addGraphqlRoute(app, {
    shops,
    faults,
    apiKey,
    namespace: options.namespace ?? 'platform',
    throttle: options.throttle ?? { maximum: 2000, restoreRate: 100 },
    maxQueryCost: options.maxQueryCost ?? 1000,
  })
  addPostmarkRoutes(app, { serverToken, mails, faults })
  addFaultRoutes(app, faults)
  addInboxRoutes(app, mails)
  const url = await app.listen({ port, host: '127.0.0.1' }).catch(async (error: unknown) => {
    await closeShops()
    throw error
  })
  origin = `http://localhost:${new URL(url).port}`
  return {
    url,
    port: Number(new URL(url).port),
    faults,
    mails: mails.all,
    shops,
    mintSessionToken: (shop, lifetimeSeconds = 60) =>
      mintSessionToken({ shop, apiKey, apiSecret, lifetimeSeconds }),
    setAppUrl(url) {
      appUrl = url
    },
    settled,
    async close() {
      await app.close()
      await closeShops()
    },
  }
}

/** Session tokens need no authentication here, so the host check blocks DNS rebinding by other sites. */
function refuseOtherHosts(app: FastifyInstance) {
  app.addHook('onRequest', async (request, reply) => {
    if (/^(localhost|127\.0\.0\.1|\[::1\])$/i.test(request.hostname)) return
    return reply.code(421).send({ message: 'Only requests to localhost and 127.0.0.1 are allowed.' })
  })
}

/** A separate process, for tests that kill all others. Prints its address when it is ready. */
if (import.meta.main) {
  const { PORT, PLATFORM_API_KEY, PLATFORM_API_SECRET, POSTMARK_SERVER_TOKEN } = process.env
  const { MAIL_FOLDER, DATA_FOLDER, APP_URL } = process.env
  if (!PLATFORM_API_KEY || !PLATFORM_API_SECRET || !POSTMARK_SERVER_TOKEN) {
    throw new Error('Set PLATFORM_API_KEY, PLATFORM_API_SECRET and POSTMARK_SERVER_TOKEN')
  }
  const platform = await startPlatform({
    port: Number(PORT ?? 0),
    apiKey: PLATFORM_API_KEY,
    apiSecret: PLATFORM_API_SECRET,
    serverToken: POSTMARK_SERVER_TOKEN,
    mailFolder: MAIL_FOLDER,
    dataFolder: DATA_FOLDER,
    appUrl: APP_URL,
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void platform.close())
  console.log(platform.url)
}
