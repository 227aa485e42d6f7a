import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../shared/config.ts'
import type { Db } from '../../shared/db/db.ts'
import { redactShop } from '../../shared/domain/shops/remove.ts'
import {
  type IncomingDelivery,
  type Reception,
  storeDeliveries,
} from '../../shared/domain/webhooks/deliveries.ts'
import { unavailable } from '../../shared/errors.ts'
import { createSignatureCheck } from '../../shared/platform/hmac.ts'
import { presets } from '../../shared/platform/presets.ts'
import { parseShopDomain } from '../../shared/platform/shop-domain.ts'
import { type WebhookTopic, webhookJobs } from '../../shared/queue/jobs.ts'
import type { Metrics } from '../../shared/telemetry/metrics.ts'
import { requestFlags } from '../../shared/telemetry/request-context.ts'
import { ok } from '../http/envelope.ts'
import { HttpError } from '../http/errors.ts'
import { type BatchLimits, createGroupCommit } from './group-commit.ts'

const bodyLimit = 5 * 1024 * 1024
const options = { bodyLimit, config: { isUntimed: true }, schema: { hide: true } }
/** A statement with its parameters takes several times the memory of the bodies. */
const limits: BatchLimits<IncomingDelivery> = {
  maxItems: 200,
  maxBytes: 8 * 1024 * 1024,
  maxBytesWaiting: 64 * 1024 * 1024,
  maxWaitMs: 10_000,
  sizeOf: ({ payload }) => payload.length,
}

/** Keeps a delivery for good. */
export type StoreDelivery = (delivery: IncomingDelivery) => Promise<Reception>

const storeTogether = (db: Db): StoreDelivery =>
  createGroupCommit((batch: readonly IncomingDelivery[]) => storeDeliveries(db, batch), limits)

/**
 * `POST /webhooks` (specification, "Events"): the signature of the raw bytes is checked before anything is read, and
 * the answer comes after the commit that stores the delivery with its job. Nothing else happens here.
 */
export async function webhooks(
  app: FastifyInstance,
  {
    config,
    metrics,
    store = storeTogether(app.db),
  }: { config: Config; metrics: Metrics; store?: StoreDelivery | undefined },
): Promise<void> {
  const hasSigned = createSignatureCheck(config)
  const prefix = presets[config.PLATFORM].headerPrefix.toLowerCase()

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, done) => done(null, body))

  /** Counts what became of a delivery, and has its line in the log say so. Topics that we do not know are anybody's words. */
  function note(
    request: FastifyRequest,
    reception: string,
    topic = '',
    shopDomain: string | null = null,
  ): void {
    metrics.deliveries.inc({ topic: isWebhookTopic(topic) ? topic : 'other', outcome: reception })
    request.noted = { reception, ...(topic && { topic, shopDomain }) }
  }

  app.post('/webhooks', options, async (request) => {
    if (app.isStopping()) throw unavailable('The service is restarting. Send it again.')
    const header = (name: string) => headerOf(request, prefix + name)
    const payload = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    if (!hasSigned(payload, header('hmac-sha256'), 'base64')) {
      note(request, 'not signed')
      throw unsigned()
    }

    const topic = normalizeTopic(header('topic'))
    const toShop = (text: string) => parseShopDomain(text.toLowerCase(), config.PLATFORM_SHOP_DOMAIN_SUFFIX)
    const named = () =>
      namesIn(payload)
        .map(toShop)
        .find((domain) => domain !== null) ?? null
    if (topic === 'SHOP_REDACT') await redactShop(app.db, named() ?? '')
    const shopDomain = toShop(header('shop-domain')) ?? (topic === 'APP_UNINSTALLED' ? named() : null)
    if (!shopDomain || !isWebhookTopic(topic)) {
      note(request, 'not processed', topic, shopDomain)
      return ok({ received: true })
    }
    const reception = await store({
      shopDomain,
      topic,
      webhookId:
        header('webhook-id') ||
        fingerprint([topic, shopDomain, header('event-id'), header('triggered-at')], payload),
      eventId: header('event-id'),
      triggeredAt: readInstant(header('triggered-at')),
      payload,
      origin: requestFlags(),
    }).catch((error: unknown) => {
      note(request, 'not stored', topic, shopDomain)
      throw error
    })
    note(request, reception, topic, shopDomain)
    return ok({ received: true })
  })
}

/** `orders/create`, `ORDERS_CREATE` and `app.uninstalled` are three spellings of the same kind. */
const normalizeTopic = (topic: string) => topic.toUpperCase().replaceAll(/[/.]/g, '_')

const isWebhookTopic = (topic: string): topic is WebhookTopic => Object.hasOwn(webhookJobs, topic)

function unsigned(): HttpError {
  return new HttpError({ status: 401, code: 'unauthorized', message: 'The signature is not right.' })
}

function headerOf(request: FastifyRequest, name: string): string {
  const value = request.headers[name]
  return typeof value === 'string' ? value.slice(0, 255) : ''
}

/** What a payload about a shop calls it. The signature covers the body only, so this is more than a header is. */
function namesIn(payload: Buffer): string[] {
  try {
    const body: Record<string, unknown> = JSON.parse(payload.toString('utf8'))
    return [body.myshopify_domain, body.shop_domain, body.domain].filter((name) => typeof name === 'string')
  } catch {
    return []
  }
}

/**
 * Where the platform does not number its deliveries, the same content at the same time is the same delivery. One that
 * says no time may be stored twice when it is sent twice: that does no harm, and losing one would.
 */
function fingerprint(marks: readonly string[], payload: Buffer): string {
  return createHash('sha256').update(marks.join('\n')).update('\n').update(payload).digest('hex')
}

/** The platform writes nanoseconds; what is no instant, or none of these times, counts as not said. */
function readInstant(text: string): string | null {
  const time = Date.parse(text.replace(/(\.\d{3})\d+/, '$1'))
  return time >= 0 && time < Date.UTC(9999) ? new Date(time).toISOString() : null
}
