import type { Namespace } from './shops/ids.ts'
import type { ShopOptions } from './shops/shops.ts'

export type PlatformOptions = {
  /** 0, the default, means any free port. */
  port?: number
  /** The app's client id and secret: tokens, redirects and webhooks are signed with them. */
  apiKey: string
  apiSecret: string
  /** The token that the mail service requires in `X-Postmark-Server-Token`. */
  serverToken: string
  /** The folder of mails; in memory only without it. */
  mailFolder?: string | undefined
  /** Installations, products, stock, orders, deliveries; in memory only without it. */
  dataFolder?: string | undefined
  /** The app's address without a trailing slash. When set, merchants are redirected to it only. */
  appUrl?: string | undefined
  /** By default `demo.myshop.example`. */
  shops?: readonly ShopOptions[]
  /** The namespace of ids and headers: `platform` by default. */
  namespace?: Namespace
  /** Installs the app without the consent page. */
  autoApprove?: boolean
  /** Every access token expires after an hour and comes with a refresh token. */
  expiringTokens?: boolean
  /** Factor of the retry intervals of webhooks. With 1, the default, retries span 48 hours. */
  retryScale?: number
  /** Timeout of a webhook request; 5 seconds by default. */
  webhookTimeoutMs?: number
  /** The cost bucket of each shop; by default 2000 points, restored at 100 per second. */
  throttle?: { maximum: number; restoreRate: number }
  /** The maximum cost of one query; 1000 by default. */
  maxQueryCost?: number
  /** The opening time of new shops: their generated history is before it. Now by default. */
  now?: Date
}
