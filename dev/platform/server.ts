import Fastify, { type FastifyInstance } from 'fastify'
import { addFaultRoutes, createFaultScript, type FaultScript } from './faults.ts'
import { addInboxRoutes } from './inbox.ts'
import { type Mail, openMails } from './mails.ts'
import { addPages } from './pages.ts'
import { addPostmarkRoutes } from './postmark.ts'
import { addSessionTokenRoutes, mintSessionToken } from './session-token.ts'

export type PlatformOptions = {
  /** 0, the default, takes a free one. */
  port?: number
  /** The app's client id and secret: session tokens are signed with them. */
  apiKey: string
  apiSecret: string
  /** What the mail service expects in `X-Postmark-Server-Token`. */
  serverToken: string
  /** Where mails are kept; in memory only without it. */
  mailFolder?: string | undefined
}

export type Platform = {
  /** Its origin, without a trailing slash. */
  url: string
  port: number
  /** What happens to the next mails and searches. */
  faults: FaultScript
  /** Every mail that was taken, oldest first. */
  mails: () => readonly Mail[]
  mintSessionToken: (shop: string, lifetimeSeconds?: number) => Promise<string>
  /** Closes the connections that hang, too. */
  close: () => Promise<void>
}

/** More than any mail that Postmark takes, so that the simulator can say why it does not take one. */
const bodyLimit = 16 * 1024 * 1024

/**
 * Starts the platform simulator on 127.0.0.1: session tokens, Postmark's API with an inbox, and scripted faults.
 * Throws EADDRINUSE when the port is taken.
 */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const { apiKey, apiSecret, serverToken, mailFolder, port = 0 } = options
  const mails = await openMails(mailFolder)
  const faults = createFaultScript()
  const app = Fastify({ bodyLimit, forceCloseConnections: true })
  refuseOtherHosts(app)
  addPages(app)
  addSessionTokenRoutes(app, { apiKey, apiSecret })
  addPostmarkRoutes(app, { serverToken, mails, faults })
  addFaultRoutes(app, faults)
  addInboxRoutes(app, mails)
  const url = await app.listen({ port, host: '127.0.0.1' })
  return {
    url,
    port: Number(new URL(url).port),
    faults,
    mails: mails.all,
    mintSessionToken: (shop, lifetimeSeconds = 60) =>
      mintSessionToken({ shop, apiKey, apiSecret, lifetimeSeconds }),
    close: async () => app.close(),
  }
}

/**
 * It gives session tokens to whoever asks, so a page elsewhere that lets its own name point at this machine must
 * not be answered.
 */
function refuseOtherHosts(app: FastifyInstance) {
  app.addHook('onRequest', async (request, reply) => {
    if (/^(localhost|127\.0\.0\.1|\[::1\])$/i.test(request.hostname)) return
    return reply.code(421).send({ message: 'Only localhost and 127.0.0.1 are answered.' })
  })
}

/** As a process of its own, for tests that kill everything else. Prints its address once it listens. */
if (import.meta.main) {
  const { PORT, PLATFORM_API_KEY, PLATFORM_API_SECRET, POSTMARK_SERVER_TOKEN, MAIL_FOLDER } = process.env
  if (!PLATFORM_API_KEY || !PLATFORM_API_SECRET || !POSTMARK_SERVER_TOKEN) {
    throw new Error('Set PLATFORM_API_KEY, PLATFORM_API_SECRET and POSTMARK_SERVER_TOKEN')
  }
  const platform = await startPlatform({
    port: Number(PORT ?? 0),
    apiKey: PLATFORM_API_KEY,
    apiSecret: PLATFORM_API_SECRET,
    serverToken: POSTMARK_SERVER_TOKEN,
    mailFolder: MAIL_FOLDER,
  })
  console.log(platform.url)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void platform.close())
}
