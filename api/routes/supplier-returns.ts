import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { readLogo } from '../../shared/domain/shops/logo.ts'
import { cancelSupplierReturn } from '../../shared/domain/supplier-returns/cancel.ts'
import { creditSupplierReturn } from '../../shared/domain/supplier-returns/credit.ts'
import { getReturnDocument } from '../../shared/domain/supplier-returns/document.ts'
import { updateSupplierReturn } from '../../shared/domain/supplier-returns/edit.ts'
import { listSupplierReturns } from '../../shared/domain/supplier-returns/list.ts'
import { shipSupplierReturn } from '../../shared/domain/supplier-returns/ship.ts'
import {
  createSupplierReturn,
  getSupplierReturn,
} from '../../shared/domain/supplier-returns/supplier-returns.ts'
import { undoSupplierReturn } from '../../shared/domain/supplier-returns/undo.ts'
import { listRoute, route } from '../http/route.ts'

export const supplierReturns: FastifyPluginAsyncTypebox = async (app) => {
  listRoute(app, 'GET /supplier-returns', ({ db, shop, query }) => listSupplierReturns(db, shop.id, query))
  route(app, 'POST /supplier-returns', ({ db, shop, actor, body }) =>
    createSupplierReturn(db, shop.id, actor, body),
  )
  route(app, 'GET /supplier-returns/:id', ({ db, shop, params }) => getSupplierReturn(db, shop.id, params.id))
  route(app, 'PUT /supplier-returns/:id', ({ db, shop, params, body }) =>
    updateSupplierReturn(db, shop.id, params.id, body),
  )
  route(app, 'POST /supplier-returns/:id/ship', ({ db, shop, actor, params, body }) =>
    shipSupplierReturn(db, shop.id, params.id, actor, body ?? {}),
  )
  route(app, 'POST /supplier-returns/:id/credit', ({ db, shop, params, body }) =>
    creditSupplierReturn(db, shop.id, params.id, body),
  )
  route(app, 'POST /supplier-returns/:id/cancel', ({ db, shop, actor, params }) =>
    cancelSupplierReturn(db, shop.id, params.id, actor),
  )
  route(app, 'POST /supplier-returns/:id/undo', ({ db, shop, actor, params }) =>
    undoSupplierReturn(db, shop.id, params.id, actor),
  )
  route(app, 'GET /supplier-returns/:id/pdf', async ({ db, shop, params, signal }, reply) => {
    const document = await getReturnDocument(db, shop.id, params.id)
    return reply
      .type('application/pdf')
      .header('content-disposition', `inline; filename="${document.number}.pdf"`)
      .send(await app.pdf.renderReturn(document, { signal, logo: await readLogo(db, shop.id, document) }))
  })
}
