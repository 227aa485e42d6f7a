import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listExchangeRates } from '../../shared/domain/exchange-rates/exchange-rates.ts'
import { route } from '../http/route.ts'

export const exchangeRates: FastifyPluginAsyncTypebox = async (app) => {
  route(app, 'GET /exchange-rates', ({ db, shop }) => listExchangeRates(db, shop.id))
}
