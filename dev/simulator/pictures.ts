import type { FastifyInstance } from 'fastify'
import { drawPicture } from './shops/pictures.ts'

/** Serves the pictures of products, as the platform's content delivery network does. */
export function addPictureRoute(app: FastifyInstance) {
  app.get<{ Params: { file: string } }>('/pictures/:file', async (request, reply) => {
    const [, product] = /^(\d{1,9})\.svg$/.exec(request.params.file) ?? []
    if (product === undefined) return reply.status(404).send()
    return reply
      .type('image/svg+xml')
      .header('cache-control', 'max-age=86400')
      .send(drawPicture(Number(product)))
  })
}
