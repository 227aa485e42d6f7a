import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Ok } from '../../shared/schemas/common.ts'
import { type Endpoint, type EndpointKey, endpoints, type Part } from '../../shared/schemas/endpoints.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The entry of the contract table that the route serves. */
    endpoint?: Endpoint
  }
}

type RouteRequest<Key extends EndpointKey> = FastifyRequest<{
  Params: Part<Key, 'params'>
  Querystring: Part<Key, 'query'>
  Body: Part<Key, 'body'>
}>

type RouteResponse<Key extends EndpointKey> =
  Part<Key, 'answer'> extends undefined ? FastifyReply : { success: true; data: Part<Key, 'answer'> }

/** Registers a handler with the schemas and status of its entry in `shared/schemas/endpoints.ts`. */
export function route<Key extends EndpointKey>(
  app: Parameters<FastifyPluginAsyncTypebox>[0],
  key: Key,
  handler: (request: RouteRequest<Key>, reply: FastifyReply) => Promise<RouteResponse<Key>>,
): void {
  const [method = '', url = ''] = key.split(' ')
  const endpoint: Endpoint = endpoints[key]
  const { summary, params, query, body, answer, status = 200 } = endpoint
  const success = answer && Ok(answer)
  app.route({
    method,
    url,
    schema: {
      summary,
      ...(params && { params }),
      ...(query && { querystring: query }),
      ...(body && { body }),
      ...(success && { response: Object.fromEntries([status].flat().map((code) => [code, success])) }),
    },
    config: { endpoint },
    handler(request, reply) {
      if (status === 201) reply.code(status)
      return handler(request as RouteRequest<Key>, reply)
    },
  })
}
