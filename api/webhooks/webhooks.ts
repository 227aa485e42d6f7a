import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../shared/config.ts'
import type { Db } from '../../shared/db/db.ts'
import { redactShop } from '../../shared/domain/exchange/install/remove.ts'
import {
  type IncomingDelivery,
  type StoreOutcome,
  storeDeliveries,
} from '../../shared/domain/exchange/webhooks/deliveries.ts'
import { projectBody } from '../../shared/domain/kit/webhook-fields/projection.ts'
import { unavailable } from '../../shared/errors.ts'
import { createSignatureCheck } from '../../shared/platform/hmac.ts'
import { presets } from '../../shared/platform/presets.ts'
import { parseShopDomain } from '../../shared/platform/shop-domain.ts'
import { complianceTopics, type WebhookTopic, webhookJobs } from '../../shared/queue/jobs.ts'
import type { Metrics } from '../../shared/telemetry/metrics.ts'
import { requestFlags } from '../../shared/telemetry/request-context.ts'
import { ok } from '../http/envelope.ts'
import { HttpError } from '../http/errors.ts'
import { countFailedAttempts } from '../http/failed-attempts.ts'
import { memoryLimit } from '../http/shedding.ts'
import { createGroupCommit, type GroupCommitLimits } from './group-commit.ts'
import { createBodyReceiver } from './receive-body.ts'

const mebibyte = 1024 * 1024
const maxBodyBytes = 5 * mebibyte
const options = { config: { hasNoTimeout: true }, schema: { hide: true } }
/** A statement with its parameters needs several times the memory of the bodies. */
const limits: GroupCommitLimits<IncomingDelivery> = {
  maxItems: 200,
  maxBytes: 8 * mebibyte,
  maxBytesWaiting: 64 * mebibyte,
  maxWaitMs: 10_000,
  sizeOf: ({ payload }) => payload.length,
}

/** Stores a delivery; resolves after the commit. */
export type StoreDelivery = (delivery: IncomingDelivery) => Promise<StoreOutcome>

const storeByGroupCommit = (db: Db): StoreDelivery =>
  createGroupCommit((batch: readonly IncomingDelivery[]) => storeDeliveries(db, batch), limits)

/**
 * Checks the signature of the raw bytes first, then drops the fields that no job reads; responds after the commit
 * (specification, "Events").
 */
export async function webhooks(
  app: FastifyInstance,
  {
    config,
    metrics,
    store = storeByGroupCommit(app.db),
  }: { config: Config; metrics: Metrics; store?: StoreDelivery | undefined },
): Promise<void> {
  // counters that have alarms start at 0, so that the first event is an increase, too
  metrics.deliveries.inc({ topic: 'other', outcome: 'not signed' }, 0)
  for (const topic of Object.keys(webhookJobs)) metrics.deliveries.inc({ topic, outcome: 'not stored' }, 0)
  const isSigned = createSignatureCheck(config)
  const prefix = presets[config.PLATFORM].headerPrefix.toLowerCase()

  app.removeAllContentTypeParsers()
  const receiveBody = createBodyReceiver({ maxBytes: maxUnsignedBytes(config), maxBodyBytes })
  app.addContentTypeParser('*', (_request: FastifyRequest, body: IncomingMessage) => receiveBody(body))
  const wrongSignatures = countFailedAttempts(config.FAILED_ATTEMPTS_PER_MINUTE)
  // before the body is read
  app.addHook('onRequest', async (request) => wrongSignatures.refuseBlocked(request))

  /** Adds the outcome to the metrics and to the log line. Unknown topics share one label, since callers choose them. */
  function recordOutcome(
    request: FastifyRequest,
    reception: string,
    topic = '',
    shopDomain: string | null = null,
  ): void {
    metrics.deliveries.inc({ topic: isWebhookTopic(topic) ? topic : 'other', outcome: reception })
    request.logFields = { reception, ...(topic && { topic, shopDomain }) }
  }

  app.post('/webhooks', options, async (request) => {
    if (app.isStopping()) throw unavailable('The service is restarting. Send it again.')
    const header = (name: string) => headerOf(request, prefix + name)
    const payload = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    if (!isSigned(payload, header('hmac-sha256'), 'base64')) {
      recordOutcome(request, 'not signed')
      wrongSignatures.record(request)
      throw unsigned()
    }

    const topic = normalizeTopic(header('topic'))
    const toShopDomain = (text: string) =>
      parseShopDomain(text.toLowerCase(), config.PLATFORM_SHOP_DOMAIN_SUFFIX)
    const domainInPayload = () =>
      shopDomainsIn(payload)
        .map(toShopDomain)
        .find((domain) => domain !== null) ?? null
    if (topic === 'SHOP_REDACT') await redactShop(app.db, domainInPayload() ?? '')
    const shopDomain =
      toShopDomain(header('shop-domain')) ?? (topicsWithShopInBody.has(topic) ? domainInPayload() : null)
    if (!shopDomain || !isWebhookTopic(topic)) {
      recordOutcome(request, 'not processed', topic, shopDomain)
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
      payload: projectBody(topic, payload),
      jobFlags: requestFlags(),
    }).catch((error: unknown) => {
      recordOutcome(request, 'not stored', topic, shopDomain)
      throw error
    })
    recordOutcome(request, reception, topic, shopDomain)
    return ok({ received: true })
  })
}

/** The memory for bodies whose signature is not checked yet: the setting, else an eighth of the memory, at most 64 MiB. */
function maxUnsignedBytes(config: Config): number {
  const { UNSIGNED_BODIES_MB: limit } = config
  return limit === undefined
    ? Math.max(8 * mebibyte, Math.min(64 * mebibyte, memoryLimit(config) / 8))
    : limit * mebibyte
}

/** Topics whose bodies name their shop, if the header does not. */
const topicsWithShopInBody: ReadonlySet<string> = new Set(['APP_UNINSTALLED', ...complianceTopics])

/** Platforms spell a topic `orders/create`, `orders.create` or `ORDERS_CREATE`. */
const normalizeTopic = (topic: string) => topic.toUpperCase().replaceAll(/[/.]/g, '_')

const isWebhookTopic = (topic: string): topic is WebhookTopic => Object.hasOwn(webhookJobs, topic)

function unsigned(): HttpError {
  return new HttpError({ status: 401, code: 'unauthorized', message: 'Invalid signature.' })
}

function headerOf(request: FastifyRequest, name: string): string {
  const value = request.headers[name]
  return typeof value === 'string' ? value.slice(0, 255) : ''
}

/** The shop domains in a payload. They can be trusted, since the signature covers the body; it does not cover the headers. */
function shopDomainsIn(payload: Buffer): string[] {
  try {
    const body: Record<string, unknown> = JSON.parse(payload.toString('utf8'))
    return [body.myshopify_domain, body.shop_domain, body.domain].filter((name) => typeof name === 'string')
  } catch {
    return []
  }
}

/** Identifies a delivery without a webhook id. Storing one twice is harmless; a false duplicate would be lost. */
function fingerprint(marks: readonly string[], payload: Buffer): string {
  return createHash('sha256').update(marks.join('\n')).update('\n').update(payload).digest('hex')
}

/** Parses a time of the platform, which has nanoseconds. Null for an invalid time and for years outside 1970 to 9998. */
function readInstant(text: string): string | null {
  const time = Date.parse(text.replace(/(\.\d{3})\d+/, '$1'))
  return time >= 0 && time < Date.UTC(9999) ? new Date(time).toISOString() : null
}
