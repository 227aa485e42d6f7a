import { randomUUID } from 'node:crypto'
import { type Static, Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { SignJWT } from 'jose'
import { ShopParams } from './shops/domain.ts'

export type SessionTokenRequest = {
  /** The shop's domain, for example demo.myshop.example. */
  shop: string
  apiKey: string
  apiSecret: string
  /** The user who is signed in to the shop admin. */
  userId?: string
  lifetimeSeconds?: number
}

/**
 * Signs a session token as the shop admin does for an embedded app, which calls its own API with it. Valid for one
 * minute by default.
 */
export async function mintSessionToken(request: SessionTokenRequest): Promise<string> {
  const { shop, apiKey, apiSecret, userId = '1', lifetimeSeconds = 60 } = request
  const now = Math.floor(Date.now() / 1000)
  return new SignJWT({ dest: `https://${shop}`, sid: randomUUID() })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(`https://${shop}/admin`)
    .setAudience(apiKey)
    .setSubject(userId)
    .setIssuedAt(now)
    .setNotBefore(now)
    .setExpirationTime(now + lifetimeSeconds)
    .setJti(randomUUID())
    .sign(new TextEncoder().encode(apiSecret))
}

const Query = Type.Object({ minutes: Type.Integer({ minimum: 1, maximum: 60, default: 1 }) })

/**
 * Issues tokens without authentication, on this machine only: as JSON, or as plain text for `Accept: text/plain`
 * and under `session-token.txt`, for use on the command line.
 */
export function addSessionTokenRoutes(app: FastifyInstance, keys: { apiKey: string; apiSecret: string }) {
  const mint = (params: Static<typeof ShopParams>, query: Static<typeof Query>) =>
    mintSessionToken({ ...keys, shop: params.shop, lifetimeSeconds: query.minutes * 60 })
  type Route = { Params: Static<typeof ShopParams>; Querystring: Static<typeof Query> }
  const schema = { params: ShopParams, querystring: Query }

  app.get<Route>('/shops/:shop/session-token', { schema }, async (request, reply) => {
    const token = await mint(request.params, request.query)
    reply.header('cache-control', 'no-store')
    return request.headers.accept?.startsWith('text/plain') ? reply.type('text/plain').send(token) : { token }
  })

  app.get<Route>('/shops/:shop/session-token.txt', { schema }, async (request, reply) =>
    reply
      .header('cache-control', 'no-store')
      .type('text/plain')
      .send(await mint(request.params, request.query)),
  )
}
