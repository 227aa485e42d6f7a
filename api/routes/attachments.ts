import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  addAttachment,
  deleteAttachment,
  getAttachedFile,
  listAttachments,
} from '../../shared/domain/kit/attachments/attachments.ts'
import { fileHeaders } from '../http/file-headers.ts'
import { route, serve, serveList } from '../http/route.ts'

export const attachments: FastifyPluginAsyncTypebox = async (app) => {
  serveList(app, 'GET /attachments', listAttachments, 'query')
  serve(app, 'POST /attachments', addAttachment, 'actor', 'body')
  route(app, 'GET /attachments/:id/file', async ({ db, shop, params }, reply) => {
    const { name, mediaType, sha256, bytes } = await getAttachedFile(db, shop.id, params.id)
    return reply
      .type(mediaType)
      .headers({ ...fileHeaders(name, sha256), 'cache-control': 'private, max-age=3600, immutable' })
      .send(bytes)
  })
  serve(app, 'DELETE /attachments/:id', deleteAttachment, 'id')
}
