import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listExchangeRates } from '../../shared/domain/records/exchange-rates/exchange-rates.ts'
import { serve } from '../http/route.ts'

export const exchangeRates: FastifyPluginAsyncTypebox = async (app) => {
  serve(app, 'GET /exchange-rates', listExchangeRates)
}
