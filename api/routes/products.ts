import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { getProductFacets } from '../../shared/domain/catalogue/product-filter.ts'
import { listProducts } from '../../shared/domain/catalogue/products.ts'
import { listRoute, route } from '../http/route.ts'

export const products: FastifyPluginAsyncTypebox = async (app) => {
  listRoute(app, 'GET /products', ({ db, shop, query }) => listProducts(db, shop.id, query))
  route(app, 'GET /products/facets', ({ db, shop }) => getProductFacets(db, shop.id))
}
