import { randomUUID } from 'node:crypto'
import rateLimit from '@fastify/rate-limit'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
  type RouteOptions,
} from 'fastify'
import type { Config } from '../shared/config.ts'
import type { Db } from '../shared/db/db.ts'
import { badRequest, unavailable } from '../shared/errors.ts'
import type { PdfRenderer } from '../shared/pdf/renderer.ts'
import { presets } from '../shared/platform/presets.ts'
import type { Log } from '../shared/telemetry/log.ts'
import { createMetrics, type Metrics } from '../shared/telemetry/metrics.ts'
import { negotiateContent } from './http/accept.ts'
import { clientKey } from './http/client-key.ts'
import {
  HttpError,
  refuseAddress,
  refuseConnection,
  refuseExpectation,
  refuseProtocol,
  sendFailure,
  tooManyRequests,
} from './http/errors.ts'
import { setSafeHeaders } from './http/headers.ts'
import { health } from './http/health.ts'
import { applyIdempotencyKeys } from './http/idempotency.ts'
import { collectPaths, routeUnknownMethods } from './http/methods.ts'
import { sendNotFound } from './http/not-found.ts'
import { describeRoutes, openApi } from './http/openapi.ts'
import { trackRequestContext } from './http/request-context.ts'
import { RequestCounts } from './http/request-counts.ts'
import { serializerCompiler } from './http/serialization.ts'
import { shedLoad } from './http/shedding.ts'
import { createValidatorCompiler } from './http/validation.ts'
import { auth } from './pages/auth.ts'
import { home } from './pages/home.ts'
import { pageFiles } from './pages/page.ts'
import { unsubscribePage } from './pages/unsubscribe.ts'
import { webFiles } from './pages/web-files.ts'
import { alerts } from './routes/alerts.ts'
import { attachments } from './routes/attachments.ts'
import { bins } from './routes/bins.ts'
import { buyingBudgets } from './routes/buying-budgets.ts'
import { countPlans } from './routes/count-plans.ts'
import { dashboard } from './routes/dashboard.ts'
import { demandEvents } from './routes/demand-events.ts'
import { digest } from './routes/digest.ts'
import { exchangeRates } from './routes/exchange-rates.ts'
import { exports } from './routes/exports.ts'
import { imports } from './routes/imports.ts'
import { labels } from './routes/labels.ts'
import { listViews } from './routes/list-views.ts'
import { locations } from './routes/locations.ts'
import { mailTemplates } from './routes/mail-templates.ts'
import { pastAdjustments } from './routes/past-adjustments.ts'
import { products } from './routes/products.ts'
import { purchaseOrders } from './routes/purchase-orders.ts'
import { receipts } from './routes/receipts.ts'
import { reorder } from './routes/reorder.ts'
import { replenishment } from './routes/replenishment.ts'
import { reports } from './routes/reports.ts'
import { settings } from './routes/settings.ts'
import { stockCounts } from './routes/stock-counts.ts'
import { stockImports } from './routes/stock-imports.ts'
import { stockLevels } from './routes/stock-levels.ts'
import { stockMovements } from './routes/stock-movements.ts'
import { stockPushes } from './routes/stock-pushes.ts'
import { stockTransfers } from './routes/stock-transfers.ts'
import { supplierPrices } from './routes/supplier-prices.ts'
import { supplierReturns } from './routes/supplier-returns.ts'
import { suppliers } from './routes/suppliers.ts'
import { sync } from './routes/sync.ts'
import { variants } from './routes/variants.ts'
import { requireSession } from './session/session.ts'
import { type StoreDelivery, webhooks } from './webhooks/webhooks.ts'

export type Services = {
  config: Config
  db: Db
  /** A read replica for the reports; by default `db`. */
  readDb?: Db
  log: Log
  pdf: PdfRenderer
  metrics?: Metrics
  /** Replaces the group commit of webhook deliveries; for benchmarks only. */
  storeDelivery?: StoreDelivery
  /** Longer than by default only on a machine with other work, as that of tests. */
  handlerTimeoutMs?: number
  /** True after the stop signal: web finishes the running requests and refuses new ones. */
  isStopping: () => boolean
}

const maxHeaders = 100

declare module 'fastify' {
  interface FastifyInstance extends Pick<Services, 'db' | 'pdf' | 'isStopping'> {
    readDb: Db
  }
  interface FastifyContextConfig {
    /** The route has its own time limits. Fastify's timer costs 5 % of a small request. */
    hasNoTimeout?: boolean
  }
  interface FastifyRequest {
    /** Additional fields of the request's log line. */
    logFields: Record<string, unknown> | undefined
  }
}

/** Builds the web process without a socket: `api/server.ts` listens with it, tests inject requests into it. */
export async function buildApp(services: Services): Promise<FastifyInstance> {
  const { config, metrics = createMetrics() } = services
  const loggerInstance: FastifyBaseLogger = services.log
  const app = Fastify({
    bodyLimit: 1024 * 1024,
    clientErrorHandler: (error, socket) => refuseConnection(error, socket, services.log),
    frameworkErrors: refuseAddress,
    // closes the connection of a client that stops reading its response
    connectionTimeout: 30_000,
    genReqId: ({ headers }) => requestId(headers['x-request-id']),
    // without the interval Node checks for slow requests only every 30 s
    http: {
      connectionsCheckingInterval: 1_000,
      headersTimeout: 10_000,
      maxHeaderSize: 16 * 1024,
      // `refuseProtocol` requires it, and answers in our shape
      requireHostHeader: false,
    },
    // longer than the idle timeout of hosts' routers, so that no router sends a request into a closing connection
    keepAliveTimeout: 95_000,
    logController: new LogController({ disableRequestLogging: true }),
    loggerInstance,
    requestTimeout: 20_000,
    return503OnClosing: false,
    // `request.ip` is the last address of X-Forwarded-For that none of these proxies has
    trustProxy: config.TRUSTED_PROXIES,
  })
  app.server.on('checkExpectation', refuseExpectation)
  routeUnknownMethods(app.server)

  app.decorate('db', services.db)
  app.decorate('readDb', services.readDb ?? services.db)
  app.decorate('pdf', services.pdf)
  app.decorate('isStopping', services.isStopping)
  app.decorateRequest('logFields')
  app.setErrorHandler(sendFailure)
  app.setNotFoundHandler((request, reply) => sendNotFound(request, reply, config))
  app.setValidatorCompiler(createValidatorCompiler(presets[config.PLATFORM].gidNamespace))
  app.setSerializerCompiler(serializerCompiler)
  trackRequestContext(app)
  app.addHook('onRoute', (route) => setHandlerTimeout(route, services.handlerTimeoutMs))
  // a connection whose last request runs while web stops would stay open until its idle timeout
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (app.isStopping()) reply.header('connection', 'close')
    done(null, payload)
  })
  app.addHook('onResponse', logRequest)
  app.addHook('onResponse', async ({ method, routeOptions: { url: route = 'unknown' } }, reply) => {
    metrics.requests.observe({ method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
  })
  app.addHook('onRequest', ({ raw: request }, { raw: reply }, done) =>
    setSafeHeaders(request, reply, (error) => done(error as Error | undefined)),
  )

  const refuseOtherMethods = collectPaths(app)
  await shedLoad(app, config)
  app.addHook('onRequest', refuseManyHeaders)
  app.addHook('onRequest', async (request) => refuseProtocol(request))
  // before the body is read: an unknown address needs no session, so anonymous callers could send large bodies
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) return sendNotFound(request, reply, config)
  })
  await describeRoutes(app)
  await app.register(health)
  await app.register(pageFiles)
  await app.register(webFiles)
  await app.register(async (pages) => addPages(pages, config))
  await app.register(webhooks, { config, metrics, store: services.storeDelivery })
  await app.register(async (api) => addApi(api, config), { prefix: '/api' })
  refuseOtherMethods()
  return app
}

/** Pages without a session; their rate limit is per IP address. */
async function addPages(pages: FastifyInstance, config: Config): Promise<void> {
  await pages.register(rateLimit, {
    max: 120,
    store: RequestCounts,
    keyGenerator: clientKey,
    errorResponseBuilder: (_request, { ttl }) => tooManyRequests(Math.ceil(ttl / 1000)),
  })
  await pages.register(home, { config })
  await pages.register(auth, { config })
  await pages.register(unsubscribePage, { config })
  await pages.register(openApi)
}

async function addApi(api: FastifyInstance, config: Config): Promise<void> {
  readJsonBodies(api)
  api.addHook('onRequest', async (_request, reply) => {
    if (api.isStopping()) throw unavailable('The service is restarting. Try again in a moment.')
    reply.header('cache-control', 'no-store')
  })
  requireSession(api, config)
  await api.register(rateLimit, {
    max: config.RATE_LIMIT_PER_MINUTE,
    store: RequestCounts,
    keyGenerator: ({ shop }) => String(shop.id),
    errorResponseBuilder: (_request, { ttl }) => tooManyRequests(Math.ceil(ttl / 1000)),
  })
  await negotiateContent(api)
  api.addHook('preValidation', refuseUnknownFields)
  applyIdempotencyKeys(api)
  const refuseOtherMethods = collectPaths(api)

  await api.register(dashboard)
  await api.register(suppliers)
  await api.register(supplierPrices)
  await api.register(purchaseOrders, { mailFrom: config.MAIL_FROM ?? '' })
  await api.register(receipts)
  await api.register(supplierReturns)
  await api.register(attachments)
  await api.register(reorder)
  await api.register(replenishment)
  await api.register(stockLevels)
  await api.register(stockImports)
  await api.register(stockMovements)
  await api.register(stockPushes)
  await api.register(stockTransfers)
  await api.register(stockCounts)
  await api.register(countPlans)
  await api.register(demandEvents)
  await api.register(buyingBudgets)
  await api.register(listViews)
  await api.register(reports)
  await api.register(alerts)
  await api.register(products)
  await api.register(variants, {
    gidNamespace: presets[config.PLATFORM].gidNamespace,
    pictureOrigins: config.PLATFORM_PICTURE_ORIGINS.split(' '),
  })
  await api.register(imports)
  await api.register(pastAdjustments)
  await api.register(locations)
  await api.register(bins)
  await api.register(labels, { gidNamespace: presets[config.PLATFORM].gidNamespace })
  await api.register(mailTemplates)
  await api.register(exchangeRates)
  await api.register(digest)
  await api.register(settings)
  await api.register(exports)
  await api.register(sync)

  refuseOtherMethods()
}

/** 10 s: a request waits at most 2 s for a connection and 8 s for a statement, unless Postgres does not respond. */
function setHandlerTimeout(route: RouteOptions, timeoutMs = 10_000): void {
  if (!route.config?.hasNoTimeout) route.handlerTimeout ??= timeoutMs
}

/** `rawHeaders` holds names and values in turn. Node silently drops headers after the 2000th. */
async function refuseManyHeaders({ raw }: FastifyRequest): Promise<void> {
  if (raw.rawHeaders.length <= 2 * maxHeaders) return
  const message = `The request has more than ${maxHeaders} headers.`
  throw new HttpError({ status: 431, code: 'headers_too_large', message })
}

/** Accepts JSON bodies only. An empty body with the JSON content type counts as no body. */
function readJsonBodies(api: FastifyInstance): void {
  const parse = api.getDefaultJsonParser('error', 'error')
  api.removeAllContentTypeParsers()
  api.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined)
    void parse(request, String(body), done)
  })
}

/** Schemas refuse unknown fields; this does the same on routes without a body schema or a query schema. */
async function refuseUnknownFields(request: FastifyRequest): Promise<void> {
  const { schema = {} } = request.routeOptions
  const body = schema.body ? {} : (request.body ?? {})
  if (typeof body !== 'object' || Array.isArray(body)) {
    throw badRequest([{ path: '', message: 'must be empty' }])
  }
  const names = [body, schema.querystring ? {} : request.query].flatMap((part) => Object.keys(part ?? {}))
  if (names.length > 0) {
    throw badRequest(
      names.slice(0, 50).map((name) => ({ path: `/${name}`, message: 'is not a known field' })),
    )
  }
}

/** The host's request id if it is safe to log, else a new one. */
function requestId(header: string | string[] | undefined): string {
  return typeof header === 'string' && /^[\w-]{8,64}$/.test(header) ? header : randomUUID()
}

/** Logs one line per request, with the route pattern instead of the URL: query strings may contain secrets. */
async function logRequest(request: FastifyRequest, reply: { statusCode: number; elapsedTime: number }) {
  request.log.info(
    {
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      shop: request.shop?.id,
      ...request.logFields,
    },
    'request',
  )
}
