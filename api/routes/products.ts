import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listProducts } from '../../shared/domain/catalogue/products.ts'
import { listRoute } from '../http/route.ts'

export const products: FastifyPluginAsyncTypebox = async (app) => {
  listRoute(app, 'GET /products', ({ db, shop, query }) => listProducts(db, shop.id, query))
}
