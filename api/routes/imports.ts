import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { changeImport } from '../../shared/domain/imports/change.ts'
import { faultsFile } from '../../shared/domain/imports/faults.ts'
import {
  createImport,
  getImport,
  listImports,
  putImportPart,
  readImport,
  revertImport,
  runImport,
} from '../../shared/domain/imports/imports.ts'
import { listImportRows } from '../../shared/domain/imports/rows.ts'
import { sampleCsv } from '../../shared/domain/imports/samples.ts'
import { listSupplierTwins } from '../../shared/domain/imports/twins.ts'
import { listRoute, route } from '../http/route.ts'

export const imports: FastifyPluginAsyncTypebox = async (app) => {
  listRoute(app, 'GET /imports', ({ db, shop, query }) => listImports(db, shop.id, query))
  route(app, 'POST /imports', ({ db, shop, actor, body }) => createImport(db, shop.id, actor, body))
  route(app, 'GET /imports/:id', ({ db, shop, params }) => getImport(db, shop.id, params.id))
  route(app, 'PUT /imports/:id', ({ db, shop, params, body }) => changeImport(db, shop.id, params.id, body))
  route(app, 'PUT /imports/:id/parts/:n', ({ db, shop, params, body }) =>
    putImportPart(db, shop.id, params.id, params.n, body),
  )
  route(app, 'POST /imports/:id/read', ({ db, shop, params }) => readImport(db, shop.id, params.id))
  listRoute(app, 'GET /imports/:id/rows', ({ db, shop, params, query }) =>
    listImportRows(db, shop.id, params.id, query),
  )
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
  route(app, 'POST /imports/:id/run', ({ db, shop, params, body }) => runImport(db, shop.id, params.id, body))
  route(app, 'POST /imports/:id/revert', ({ db, shop, params }) => revertImport(db, shop.id, params.id))
}
