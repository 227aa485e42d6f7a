import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { FaultScript } from '../faults.ts'
import { drop, hang } from '../replies.ts'
import { ShopParams } from '../shops/domain.ts'
import type { Shop } from '../shops/shop.ts'
import type { OAuthOptions } from './authorize.ts'

const TokenRequest = Type.Object({
  client_id: Type.String(),
  client_secret: Type.String(),
  code: Type.Optional(Type.String()),
  expiring: Type.Optional(Type.Union([Type.String(), Type.Boolean(), Type.Number()])),
  grant_type: Type.Optional(Type.String()),
  refresh_token: Type.Optional(Type.String()),
})
type TokenRequest = Static<typeof TokenRequest>

type Refusal = { error: string; error_description: string }

/** Exchanges an authorization code or a refresh token for an access token. Each can be used once. */
export function addAccessTokenRoute(app: FastifyInstance, options: OAuthOptions & { faults: FaultScript }) {
  const { shops, apiKey, apiSecret, faults, expiringTokens } = options

  function exchange(shop: Shop, body: unknown) {
    const firstError = Value.Errors(TokenRequest, body).First()
    if (firstError) return refusal('invalid_request', `${firstError.path.slice(1)}: ${firstError.message}`)
    const request = body as TokenRequest
    if (request.client_id !== apiKey || request.client_secret !== apiSecret)
      return refusal('invalid_client', 'The client_id or the client_secret is wrong')
    if (request.grant_type === 'refresh_token')
      return (
        shop.access.refresh(request.refresh_token ?? '') ??
        refusal('invalid_grant', 'The refresh token does not exist, has expired or was already used')
      )
    if (request.grant_type !== undefined && request.grant_type !== 'authorization_code')
      return refusal('unsupported_grant_type', 'The simulator does not support this grant_type')
    const isExpiring = expiringTokens || ['1', 'true'].includes(String(request.expiring))
    return (
      shop.access.exchangeCode(request.code ?? '', isExpiring) ??
      refusal('invalid_request', 'The authorization code was not found or was already used')
    )
  }

  app.post<{ Params: { shop: string } }>(
    '/shops/:shop/admin/oauth/access_token',
    { schema: { params: ShopParams } },
    async ({ params, body }, reply) => {
      const shop = shops.find(params.shop)
      if (!shop) return reply.code(404).send({ errors: 'Not Found' })
      const fault = faults.nextTokenRequest(params.shop)
      if (fault === 'hang') return hang(reply)
      if (fault === 'drop') return drop(reply)
      if (fault?.startsWith('answer-')) return refuse(reply, Number(fault.slice('answer-'.length)))
      const response = exchange(shop, body)
      if (fault === 'accept-drop') return drop(reply)
      return reply
        .code('error' in response ? 400 : 200)
        .header('cache-control', 'no-store')
        .send(response)
    },
  )
}

const refusal = (error: string, error_description: string): Refusal => ({ error, error_description })

function refuse(reply: FastifyReply, status: number): FastifyReply {
  if (status === 429) reply.header('retry-after', '2.0')
  return reply.code(status).send({ errors: status === 429 ? 'Too many requests' : 'Internal Server Error' })
}
