import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { changeImport } from '../../shared/domain/exchange/imports/change.ts'
import { faultsFile } from '../../shared/domain/exchange/imports/faults.ts'
import {
  createImport,
  getImport,
  listImports,
  putImportPart,
  readImport,
  revertImport,
  runImport,
} from '../../shared/domain/exchange/imports/imports.ts'
import { sampleCsv } from '../../shared/domain/exchange/imports/read/samples.ts'
import { listImportRows } from '../../shared/domain/exchange/imports/rows.ts'
import { listSupplierTwins } from '../../shared/domain/exchange/imports/twins.ts'
import { listRoute, route, serve, serveList } from '../http/route.ts'

export const imports: FastifyPluginAsyncTypebox = async (app) => {
  serveList(app, 'GET /imports', listImports, 'query')
  serve(app, 'POST /imports', createImport, 'actor', 'body')
  serve(app, 'GET /imports/:id', getImport, 'id')
  serve(app, 'PUT /imports/:id', changeImport, 'id', 'body')
  route(app, 'PUT /imports/:id/parts/:n', ({ db, shop, params, body }) =>
    putImportPart(db, shop.id, params.id, params.n, body),
  )
  serve(app, 'POST /imports/:id/read', readImport, 'id')
  serveList(app, 'GET /imports/:id/rows', listImportRows, 'id', 'query')
  route(app, 'GET /imports/:id/faults', async ({ db, shop, params }, reply) => {
    const { type, name, content } = await faultsFile(db, shop.id, params.id)
    return reply.type(type).header('content-disposition', `attachment; filename="${name}"`).send(content)
  })
  listRoute(app, 'GET /imports/:id/twins', async ({ db, shop, params }) => ({
    records: await listSupplierTwins(db, shop.id, params.id),
    next: null,
  }))
  route(app, 'GET /imports/samples/:kind', async ({ params }, reply) =>
    reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${params.kind.replaceAll('_', '-')}.csv"`)
      .send(sampleCsv(params.kind)),
  )
  serve(app, 'POST /imports/:id/run', runImport, 'id', 'body')
  serve(app, 'POST /imports/:id/revert', revertImport, 'id')
}
