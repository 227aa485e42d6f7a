import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listProducts } from '../../shared/domain/catalogue/products.ts'
import { List, Ok } from '../../shared/schemas/common.ts'
import { ProductFilter, ProductListItem } from '../../shared/schemas/products.ts'
import { okPage } from '../http/envelope.ts'

export const products: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/products',
    { schema: { querystring: ProductFilter, response: { 200: Ok(List(ProductListItem)) } } },
    async (request, reply) =>
      okPage(request, reply, await listProducts(request.db, request.shop.id, request.query)),
  )
}
