import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { revertStockImport } from '../../shared/domain/documents/stock-imports/revert.ts'
import { importStock, listStockImports } from '../../shared/domain/documents/stock-imports/stock-imports.ts'
import { route, serveList } from '../http/route.ts'

export const stockImports: FastifyPluginAsyncTypebox = async (app) => {
  serveList(app, 'GET /stock-imports', listStockImports, 'query')
  route(app, 'POST /stock-imports', ({ db, shop, actor, body }) =>
    importStock(db, shop.id, actor, body, new Date().toISOString()),
  )
  route(app, 'POST /stock-imports/:id/revert', ({ db, shop, actor, params, body }) =>
    revertStockImport(db, shop.id, params.id, actor, body ?? {}, new Date().toISOString()),
  )
}
