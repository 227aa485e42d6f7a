import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  getExport,
  listExports,
  readExportFile,
  startExport,
} from '../../shared/domain/views/exports/exports.ts'
import { route, serve, serveList } from '../http/route.ts'

/** `GET /export` answers a file that is not older than this instead of a new one. */
const maxAgeMinutes = 60

export const exports: FastifyPluginAsyncTypebox = async (app) => {
  route(app, 'GET /export', async ({ db, shop, actor }) => {
    const now = new Date().toISOString()
    return (await startExport(db, shop.id, { actor, now, maxAgeMinutes })).export
  })
  serveList(app, 'GET /exports', listExports, 'query')
  route(app, 'POST /exports', async ({ db, shop, actor }, reply) => {
    const started = await startExport(db, shop.id, { actor, now: new Date().toISOString() })
    reply.code(started.isNew ? 201 : 200)
    return started.export
  })
  serve(app, 'GET /exports/:id', getExport, 'id')
  route(app, 'GET /exports/:id/file', async ({ db, shop, params }, reply) => {
    const { fileName, size, sha256, stream } = await readExportFile(db, shop.id, params.id)
    return reply
      .type('application/zip')
      .headers({
        'content-disposition': `attachment; filename="${fileName}"`,
        'content-length': size,
        etag: `"${sha256}"`,
      })
      .send(stream)
  })
}
