import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { discardCostPush, retryCostPush } from '../../shared/domain/ledgers/cost-pushes/decide.ts'
import { getVariantCosts, listCostMovements } from '../../shared/domain/ledgers/costs/costs.ts'
import { setUnitCost } from '../../shared/domain/ledgers/costs/set-unit-cost.ts'
import { listVariantSuppliers } from '../../shared/domain/records/suppliers/products.ts'
import { enterForecast } from '../../shared/domain/views/variants/enter-forecast.ts'
import { findVariantsByCode } from '../../shared/domain/views/variants/find-variants.ts'
import { listVariants } from '../../shared/domain/views/variants/list-variants.ts'
import { getVariant } from '../../shared/domain/views/variants/variant-detail.ts'
import { getVariantForecast } from '../../shared/domain/views/variants/variant-forecast.ts'
import { makeGid } from '../../shared/platform/gid.ts'
import { listRoute, route, serve } from '../http/route.ts'

type Options = { gidNamespace: string; pictureOrigins: readonly string[] }

export const variants: FastifyPluginAsyncTypebox<Options> = async (app, { gidNamespace, pictureOrigins }) => {
  const gidOf = ({ id }: { id: string }) => makeGid(gidNamespace, 'ProductVariant', id)
  listRoute(app, 'GET /variants', ({ db, shop, query }) => listVariants(db, shop.id, query, pictureOrigins))
  serve(app, 'POST /variants/find', findVariantsByCode, 'body')
  route(app, 'GET /variants/:id', ({ db, shop, params }) => getVariant(db, shop.id, gidOf(params)))
  route(app, 'GET /variants/:id/costs', ({ db, shop, params, query }) =>
    getVariantCosts(db, shop.id, gidOf(params), query),
  )
  listRoute(app, 'GET /variants/:id/cost-movements', ({ db, shop, params, query }) =>
    listCostMovements(db, shop.id, gidOf(params), query),
  )
  route(app, 'POST /variants/:id/cost-push/retry', ({ db, shop, params }) =>
    retryCostPush(db, shop.id, gidOf(params)),
  )
  route(app, 'POST /variants/:id/cost-push/discard', ({ db, shop, params }) =>
    discardCostPush(db, shop.id, gidOf(params)),
  )
  route(app, 'PUT /variants/:id', ({ db, shop, actor, params, body }) =>
    setUnitCost(db, shop.id, gidOf(params), actor, body),
  )
  route(app, 'GET /variants/:id/forecast', ({ db, shop, params }) =>
    getVariantForecast(db, shop.id, gidOf(params)),
  )
  route(app, 'PUT /variants/:id/forecast', ({ db, shop, actor, params, body }) =>
    enterForecast(db, shop.id, gidOf(params), actor, body),
  )
  route(app, 'GET /variants/:id/suppliers', ({ db, shop, params }) =>
    listVariantSuppliers(db, shop.id, gidOf(params)),
  )
}
