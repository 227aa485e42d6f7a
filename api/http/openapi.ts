import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyContextConfig, FastifyInstance, FastifySchema } from 'fastify'
import { Failure } from '../../shared/schemas/common.ts'
import { keyHeader, takesKey } from './idempotency.ts'

/** Words that only our validation knows; what `rule` says is worth reading, so it becomes the description. */
const ownKeywords = new Set(['rule', 'gid', 'decimals'])

const docsPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'"

const describe: NonNullable<FastifyDynamicSwaggerOptions['transform']> = ({ schema, url, route }) => {
  const plain: FastifySchema = JSON.parse(
    JSON.stringify(schema ?? {}, (key, value: unknown) => {
      if (ownKeywords.has(key) && typeof value !== 'object') return undefined
      if (typeof value !== 'object' || value === null || !('rule' in value)) return value
      return { description: value.rule, ...value }
    }),
  )
  const responses = {
    ...describeSuccess(plain.response, route.config),
    default: { description: 'Failure', ...Failure },
  }
  const headers = takesKey(route) && { headers: { type: 'object', properties: keyHeader } }
  return { schema: { ...plain, ...headers, tags: [url.split('/')[2] ?? ''], response: responses }, url }
}

/** The answers of a route by status; what is not JSON has no schema, and a list may be a file as well. */
function describeSuccess(response: unknown, { produces, csv }: FastifyContextConfig = {}): object {
  if (produces) return { 200: { description: 'Success', content: { [produces]: { schema: {} } } } }
  const statuses = Object.entries((response ?? {}) as Record<string, object>).map(([status, schema]) => {
    const file = csv && { 'text/csv': { schema: { type: 'string' } } }
    return [status, { description: 'Success', content: { 'application/json': { schema }, ...file } }]
  })
  return Object.fromEntries(statuses)
}

/** One OpenAPI 3.1 document from the schemas of the routes: `/openapi.json`, and `/docs` to read it. */
export async function openApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Quartermaster',
        version: '1',
        description:
          'Inventory and procurement of one shop. Lists answer their next page in the `Link` header. ' +
          'Failures have one shape; `details` points at every value that is at fault.',
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
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    transformStaticCSP: () => docsPolicy,
  })
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger())
}
