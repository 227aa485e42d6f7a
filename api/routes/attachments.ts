import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  addAttachment,
  deleteAttachment,
  getAttachedFile,
  listAttachments,
} from '../../shared/domain/attachments/attachments.ts'
import { listRoute, route } from '../http/route.ts'

export const attachments: FastifyPluginAsyncTypebox = async (app) => {
  listRoute(app, 'GET /attachments', ({ db, shop, query }) => listAttachments(db, shop.id, query))
  route(app, 'POST /attachments', ({ db, shop, actor, body }) => addAttachment(db, shop.id, actor, body))
  // a browser that shows the file runs nothing of it: no script, no form, no request, and its type is the stored one
  route(app, 'GET /attachments/:id/file', async ({ db, shop, params }, reply) => {
    const { name, mediaType, sha256, bytes } = await getAttachedFile(db, shop.id, params.id)
    return reply
      .type(mediaType)
      .headers({
        'content-disposition': `attachment; filename*=UTF-8''${encodeName(name)}`,
        'content-security-policy': "sandbox; default-src 'none'",
        'cache-control': 'private, max-age=3600, immutable',
        etag: `"${sha256}"`,
      })
      .send(bytes)
  })
  route(app, 'DELETE /attachments/:id', ({ db, shop, params }) => deleteAttachment(db, shop.id, params.id))
}

/** RFC 8187: `encodeURIComponent` leaves four characters that a header value must not have there. */
const encodeName = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)
