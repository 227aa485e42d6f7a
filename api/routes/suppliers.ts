import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { getSupplierTerms } from '../../shared/domain/records/supplier-prices/terms.ts'
import { archiveSuppliers } from '../../shared/domain/records/suppliers/archive.ts'
import {
  addSupplierContact,
  deleteSupplierContact,
  updateSupplierContact,
} from '../../shared/domain/records/suppliers/contacts.ts'
import { createSuppliersFromVendors } from '../../shared/domain/records/suppliers/from-vendors.ts'
import { mergeSupplier } from '../../shared/domain/records/suppliers/merge.ts'
import {
  deleteSupplierProduct,
  listSupplierProducts,
} from '../../shared/domain/records/suppliers/products.ts'
import { restoreSupplier, restoreSuppliers } from '../../shared/domain/records/suppliers/restore.ts'
import {
  createSupplierProduct,
  saveSupplierProducts,
  updateSupplierProduct,
} from '../../shared/domain/records/suppliers/save-products.ts'
import {
  createSupplier,
  deleteSupplier,
  getSupplier,
  listSuppliers,
  updateSupplier,
} from '../../shared/domain/records/suppliers/suppliers.ts'
import { route, serve, serveList } from '../http/route.ts'

export const suppliers: FastifyPluginAsyncTypebox = async (app) => {
  serveList(app, 'GET /suppliers', listSuppliers, 'query')
  serve(app, 'POST /suppliers', createSupplier, 'body')
  serve(app, 'GET /suppliers/:id', getSupplier, 'id')
  serve(app, 'PUT /suppliers/:id', updateSupplier, 'id', 'body')
  serve(app, 'DELETE /suppliers/:id', deleteSupplier, 'id')
  serve(app, 'GET /suppliers/:id/terms', getSupplierTerms, 'id', 'query')
  serve(app, 'POST /suppliers/archive', archiveSuppliers, 'body')
  serve(app, 'POST /suppliers/restore', restoreSuppliers, 'body')
  serve(app, 'POST /suppliers/:id/restore', restoreSupplier, 'id')
  serve(app, 'POST /suppliers/:id/merge', mergeSupplier, 'id', 'body')
  serve(app, 'POST /suppliers/from-vendors', createSuppliersFromVendors, 'body')
  serveList(app, 'GET /suppliers/:id/products', listSupplierProducts, 'id', 'query')
  serve(app, 'POST /suppliers/:id/products', createSupplierProduct, 'id', 'body')
  serve(app, 'POST /suppliers/:id/products/bulk', saveSupplierProducts, 'id', 'body')
  route(app, 'PUT /suppliers/:id/products/:supplierProductId', ({ db, shop, params, body }) =>
    updateSupplierProduct(db, shop.id, params.id, params.supplierProductId, body),
  )
  route(app, 'DELETE /suppliers/:id/products/:supplierProductId', ({ db, shop, params }) =>
    deleteSupplierProduct(db, shop.id, params.id, params.supplierProductId),
  )
  serve(app, 'POST /suppliers/:id/contacts', addSupplierContact, 'id', 'body')
  route(app, 'PUT /suppliers/:id/contacts/:contactId', ({ db, shop, params, body }) =>
    updateSupplierContact(db, shop.id, params.id, params.contactId, body),
  )
  route(app, 'DELETE /suppliers/:id/contacts/:contactId', ({ db, shop, params }) =>
    deleteSupplierContact(db, shop.id, params.id, params.contactId),
  )
}
