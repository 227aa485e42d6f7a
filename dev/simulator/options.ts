import type { Namespace } from './shops/ids.ts'
import type { ShopOptions } from './shops/shops.ts'

export type PlatformOptions = {
  /** 0, the default, takes a free one. */
  port?: number
  /** The app's client id and secret: tokens, redirects and webhooks are signed with them. */
  apiKey: string
  apiSecret: string
  /** What the mail service expects in `X-Postmark-Server-Token`. */
  serverToken: string
  /** Where mails are kept; in memory only without it. */
  mailFolder?: string | undefined
  /** Where everything else is kept: installations, goods, stock, orders, deliveries. In memory without it. */
  dataFolder?: string | undefined
  /** The app's own address, without a trailing slash. Once known, merchants are sent nowhere else. */
  appUrl?: string | undefined
  /** `demo.myshop.example` when nothing is said. */
  shops?: readonly ShopOptions[]
  /** How ids and headers are named: `platform` by default. */
  namespace?: Namespace
  /** Installs the app without asking the merchant. */
  autoApprove?: boolean
  /** Every access token lasts an hour and comes with a refresh token. */
  expiringTokens?: boolean
  /** The intervals between attempts of a webhook, times this: 48 hours in all when it is 1, the default. */
  retryScale?: number
  /** How long an app may take to answer a webhook; 5 seconds by default. */
  webhookTimeoutMs?: number
  /** The bucket of cost points that each shop has; 2000, refilled with 100 a second, by default. */
  throttle?: { maximum: number; restoreRate: number }
  /** What one query may cost; 1000 by default. */
  maxQueryCost?: number
  /** When shops are opened that were not kept: everything in them lies before. Now by default. */
  now?: Date
}
