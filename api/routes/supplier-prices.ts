import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { importPrices } from '../../shared/domain/records/suppliers/import-prices/import.ts'
import { serve } from '../http/route.ts'

export const supplierPrices: FastifyPluginAsyncTypebox = async (app) => {
  serve(app, 'POST /supplier-prices/import', importPrices, 'body')
}
