import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { saveBins } from '../../shared/domain/ledgers/stock/bins/bins.ts'
import { importBins } from '../../shared/domain/ledgers/stock/bins/import.ts'
import { serve } from '../http/route.ts'

export const bins: FastifyPluginAsyncTypebox = async (app) => {
  serve(app, 'PUT /bins', saveBins, 'actor', 'body')
  serve(app, 'POST /bins/import', importBins, 'actor', 'body')
}
