import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifyReply, FastifySchema } from 'fastify'
import { Failure } from '../../shared/schemas/common.ts'
import type { Endpoint } from '../../shared/schemas/endpoints.ts'
import { keyHeader, takesKey } from './idempotency.ts'

/** Keywords of our own validator. The text of `rule` becomes the description of the schema. */
const ownKeywords = new Set(['rule', 'gid', 'decimals'])

const docsPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'"

const describe: NonNullable<FastifyDynamicSwaggerOptions['transform']> = ({ schema, url, route }) => {
  const plain: FastifySchema = JSON.parse(
    JSON.stringify(schema ?? {}, (key, value: unknown) => {
      if (ownKeywords.has(key) && typeof value !== 'object') return undefined
      if (typeof value !== 'object' || value === null) return value
      if ('ignored' in value && Array.isArray(value.ignored)) return describeIgnored(value)
      return 'rule' in value ? { description: value.rule, ...value } : value
    }),
  )
  const responses = {
    ...describeSuccess(plain.response, route.config?.endpoint),
    default: { description: 'Failure', ...Failure },
  }
  const headers = takesKey(route) && { headers: { type: 'object', properties: keyHeader } }
  return { schema: { ...plain, ...headers, tags: [url.split('/')[2] ?? ''], response: responses }, url }
}

/** Names the read-only fields in the description, since no JSON Schema keyword says that a request may have them. */
function describeIgnored({ ignored, ...schema }: { ignored?: unknown }): object {
  return {
    ...schema,
    description: `Read-only fields are accepted and ignored: ${[ignored].flat().join(', ')}`,
  }
}

/** The successful responses by status. A response that is not JSON has no schema. */
function describeSuccess(response: unknown, endpoint: Pick<Endpoint, 'produces' | 'csv'> = {}): object {
  const { produces, csv } = endpoint
  if (produces) {
    const content = Object.fromEntries([produces].flat().map((type) => [type, { schema: {} }]))
    return { 200: { description: 'Success', content } }
  }
  const statuses = Object.entries((response ?? {}) as Record<string, object>).map(([status, schema]) => {
    const file = csv && { 'text/csv': { schema: { type: 'string' } } }
    return [status, { description: 'Success', content: { 'application/json': { schema }, ...file } }]
  })
  return Object.fromEntries(statuses)
}

/** Describes the routes that are registered after it, as OpenAPI 3.1. */
export async function describeRoutes(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Quartermaster',
        version: '1',
        description:
          'Inventory and purchasing of one shop. The `Link` header of a list holds the address of its next page. ' +
          'All failures have the same shape; `details` points to every invalid value.',
      },
      components: {
        securitySchemes: {
          session: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: 'A session token of the shop admin, valid for about a minute',
          },
        },
      },
      security: [{ session: [] }],
    },
    transform: describe,
  })
}

/** Serves the OpenAPI document at `/openapi.json`, and a page to read it at `/docs`. */
export async function openApi(pages: FastifyInstance): Promise<void> {
  let document: string | undefined
  const sendDocument = (reply: FastifyReply) => {
    // once, since it is large
    document ??= JSON.stringify(pages.swagger())
    return reply.type('application/json; charset=utf-8').send(document)
  }
  await pages.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    transformStaticCSP: () => docsPolicy,
    uiHooks: {
      preHandler: async (request, reply) => {
        if (request.routeOptions.url === '/docs/json') return sendDocument(reply)
      },
    },
  })
  pages.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => sendDocument(reply))
}
