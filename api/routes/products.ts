import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { getProductFacets } from '../../shared/domain/records/catalogue/product-filter.ts'
import { listProducts } from '../../shared/domain/views/variants/list-products.ts'
import { serve, serveList } from '../http/route.ts'

export const products: FastifyPluginAsyncTypebox = async (app) => {
  serveList(app, 'GET /products', listProducts, 'query')
  serve(app, 'GET /products/facets', getProductFacets)
}
