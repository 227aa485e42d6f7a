import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listProducts } from '../../shared/domain/catalogue/products.ts'
import { okPage } from '../http/envelope.ts'
import { route } from '../http/route.ts'

export const products: FastifyPluginAsyncTypebox = async (app) => {
  route(app, 'GET /products', async (request, reply) =>
    okPage(request, reply, await listProducts(request.db, request.shop.id, request.query)),
  )
}
