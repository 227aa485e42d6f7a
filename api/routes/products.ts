import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { getProductFacets } from '../../shared/domain/catalogue/product-filter.ts'
import { listProducts } from '../../shared/domain/catalogue/products.ts'
import { serve, serveList } from '../http/route.ts'

export const products: FastifyPluginAsyncTypebox = async (app) => {
  serveList(app, 'GET /products', listProducts, 'query')
  serve(app, 'GET /products/facets', getProductFacets)
}
