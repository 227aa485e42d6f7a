import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { cancelSupplierReturn } from '../../shared/domain/documents/supplier-returns/cancel.ts'
import { creditSupplierReturn } from '../../shared/domain/documents/supplier-returns/credit.ts'
import { getReturnDocument } from '../../shared/domain/documents/supplier-returns/document.ts'
import { updateSupplierReturn } from '../../shared/domain/documents/supplier-returns/edit.ts'
import { listSupplierReturns } from '../../shared/domain/documents/supplier-returns/list.ts'
import { shipSupplierReturn } from '../../shared/domain/documents/supplier-returns/ship.ts'
import {
  createSupplierReturn,
  getSupplierReturn,
} from '../../shared/domain/documents/supplier-returns/supplier-returns.ts'
import { undoSupplierReturn } from '../../shared/domain/documents/supplier-returns/undo.ts'
import { readLogo } from '../../shared/domain/records/shops/logo.ts'
import { route, serve, serveList } from '../http/route.ts'

export const supplierReturns: FastifyPluginAsyncTypebox = async (app) => {
  serveList(app, 'GET /supplier-returns', listSupplierReturns, 'query')
  serve(app, 'POST /supplier-returns', createSupplierReturn, 'actor', 'body')
  serve(app, 'GET /supplier-returns/:id', getSupplierReturn, 'id')
  serve(app, 'PUT /supplier-returns/:id', updateSupplierReturn, 'id', 'body')
  route(app, 'POST /supplier-returns/:id/ship', ({ db, shop, actor, params, body }) =>
    shipSupplierReturn(db, shop.id, params.id, actor, body ?? {}),
  )
  serve(app, 'POST /supplier-returns/:id/credit', creditSupplierReturn, 'id', 'body')
  serve(app, 'POST /supplier-returns/:id/cancel', cancelSupplierReturn, 'id', 'actor')
  serve(app, 'POST /supplier-returns/:id/undo', undoSupplierReturn, 'id', 'actor')
  route(app, 'GET /supplier-returns/:id/pdf', async ({ db, shop, params, signal }, reply) => {
    const document = await getReturnDocument(db, shop.id, params.id)
    return reply
      .type('application/pdf')
      .header('content-disposition', `inline; filename="${document.number}.pdf"`)
      .send(await app.pdf.renderReturn(document, { signal, logo: await readLogo(db, shop.id, document) }))
  })
}
