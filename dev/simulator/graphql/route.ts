import { setTimeout as sleep } from 'node:timers/promises'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { FaultScript } from '../faults.ts'
import { drop, hang } from '../replies.ts'
import { ShopParams } from '../shops/domain.ts'
import type { Namespace } from '../shops/ids.ts'
import type { Shops } from '../shops/shops.ts'
import { apiVersion } from '../webhooks/delivery.ts'
import { type Caller, executeRequest, readSchema } from './execute.ts'
import { createThrottle } from './throttle.ts'

export type GraphqlOptions = {
  shops: Shops
  faults: FaultScript
  apiKey: string
  namespace: Namespace
  throttle: { maximum: number; restoreRate: number }
  maxQueryCost: number
}

const Body = Type.Object({
  query: Type.String({ minLength: 1 }),
  variables: Type.Optional(Type.Union([Type.Null(), Type.Record(Type.String(), Type.Unknown())])),
  operationName: Type.Optional(Type.Union([Type.Null(), Type.String()])),
})
type Body = Static<typeof Body>

const VersionParams = Type.Composite([ShopParams, Type.Object({ version: Type.String() })])

/** The admin API of every shop. Every version in the path gets the one version that the simulator supports. */
export function addGraphqlRoute(app: FastifyInstance, options: GraphqlOptions) {
  const { shops, faults, apiKey, namespace, maxQueryCost } = options
  const throttle = createThrottle(() => faults.current().throttle ?? options.throttle)
  const execution = { schema: readSchema(), throttle, apiKey, maxQueryCost }
  const versionHeader = namespace === 'shopify' ? 'x-shopify-api-version' : 'x-platform-api-version'

  app.post<{ Params: { shop: string; version: string } }>(
    '/shops/:shop/admin/api/:version/graphql.json',
    { schema: { params: VersionParams } },
    async (request, reply) => {
      reply.headers({ [versionHeader]: apiVersion, 'cache-control': 'no-store' })
      const shop = shops.find(request.params.shop)
      if (!shop) return reply.code(404).send({ errors: 'Not Found' })
      await sleep(faults.current().graphqlDelayMs)
      const next = faults.nextRequest(shop.domain, JSON.stringify(request.body ?? null))
      const fault = next?.fault
      if (fault === 'hang') return hang(reply)
      if (fault === 'drop') return drop(reply)
      if (fault === 'answer-401') return refuseToken(reply)
      if (fault?.startsWith('answer-')) return refuse(reply, Number(fault.slice('answer-'.length)), next)
      const scopes = shop.access.scopesOf(tokenOf(request))
      if (!scopes) return refuseToken(reply)
      if (Value.Errors(Body, request.body).First())
        return reply.code(400).send({ errors: { query: 'Required parameter missing or invalid' } })

      const { query, variables, operationName } = request.body as Body
      const caller: Caller = {
        shop,
        scopes,
        keyFault: fault === 'concurrent' || fault === 'previous-failed' ? fault : undefined,
        isThrottled: fault === 'throttle',
      }
      const response = await executeRequest(execution, caller, {
        query,
        variables: variables ?? {},
        operationName: operationName ?? undefined,
      })
      if (fault === 'accept-hang') return hang(reply)
      if (fault === 'accept-drop') return drop(reply)
      if (fault === 'accept-500') return refuse(reply, 500)
      return response
    },
  )
}

function tokenOf({ headers }: FastifyRequest): string {
  const token = headers['x-platform-access-token'] ?? headers['x-shopify-access-token']
  return typeof token === 'string' ? token : ''
}

const refuseToken = (reply: FastifyReply) =>
  reply
    .code(401)
    .send({ errors: '[API] Invalid API key or access token (unrecognized login or wrong password)' })

const refusals: Record<number, string> = {
  402: 'Unavailable Shop',
  403: 'Forbidden',
  423: 'Locked',
  429: 'Exceeded the rate limit. Reduce request rates to resume uninterrupted service.',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

function refuse(reply: FastifyReply, status: number, fault?: { retryAfterSeconds?: number }): FastifyReply {
  if (status === 429) reply.header('retry-after', (fault?.retryAfterSeconds ?? 2).toFixed(1))
  return reply.code(status).send({ errors: refusals[status] })
}
