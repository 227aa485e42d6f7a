import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { importPrices } from '../../shared/domain/supplier-prices/import.ts'
import { route } from '../http/route.ts'

export const supplierPrices: FastifyPluginAsyncTypebox = async (app) => {
  route(app, 'POST /supplier-prices/import', ({ db, shop, body }) => importPrices(db, shop.id, body))
}
