import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  addAttachment,
  deleteAttachment,
  getAttachedFile,
  listAttachments,
} from '../../shared/domain/attachments/attachments.ts'
import { fileHeaders } from '../http/file-headers.ts'
import { listRoute, route } from '../http/route.ts'

export const attachments: FastifyPluginAsyncTypebox = async (app) => {
  listRoute(app, 'GET /attachments', ({ db, shop, query }) => listAttachments(db, shop.id, query))
  route(app, 'POST /attachments', ({ db, shop, actor, body }) => addAttachment(db, shop.id, actor, body))
  route(app, 'GET /attachments/:id/file', async ({ db, shop, params }, reply) => {
    const { name, mediaType, sha256, bytes } = await getAttachedFile(db, shop.id, params.id)
    return reply
      .type(mediaType)
      .headers({ ...fileHeaders(name, sha256), 'cache-control': 'private, max-age=3600, immutable' })
      .send(bytes)
  })
  route(app, 'DELETE /attachments/:id', ({ db, shop, params }) => deleteAttachment(db, shop.id, params.id))
}
