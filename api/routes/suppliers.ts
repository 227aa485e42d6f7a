import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { getSupplierTerms } from '../../shared/domain/supplier-prices/terms.ts'
import { archiveSuppliers } from '../../shared/domain/suppliers/archive.ts'
import {
  addSupplierContact,
  deleteSupplierContact,
  updateSupplierContact,
} from '../../shared/domain/suppliers/contacts.ts'
import { createSuppliersFromVendors } from '../../shared/domain/suppliers/from-vendors.ts'
import { mergeSupplier } from '../../shared/domain/suppliers/merge.ts'
import { deleteSupplierProduct, listSupplierProducts } from '../../shared/domain/suppliers/products.ts'
import { restoreSupplier, restoreSuppliers } from '../../shared/domain/suppliers/restore.ts'
import {
  createSupplierProduct,
  saveSupplierProducts,
  updateSupplierProduct,
} from '../../shared/domain/suppliers/save-products.ts'
import {
  createSupplier,
  deleteSupplier,
  getSupplier,
  listSuppliers,
  updateSupplier,
} from '../../shared/domain/suppliers/suppliers.ts'
import { listRoute, route } from '../http/route.ts'

export const suppliers: FastifyPluginAsyncTypebox = async (app) => {
  listRoute(app, 'GET /suppliers', ({ db, shop, query }) => listSuppliers(db, shop.id, query))
  route(app, 'POST /suppliers', ({ db, shop, body }) => createSupplier(db, shop.id, body))
  route(app, 'GET /suppliers/:id', ({ db, shop, params }) => getSupplier(db, shop.id, params.id))
  route(app, 'PUT /suppliers/:id', ({ db, shop, params, body }) =>
    updateSupplier(db, shop.id, params.id, body),
  )
  route(app, 'DELETE /suppliers/:id', ({ db, shop, params }) => deleteSupplier(db, shop.id, params.id))
  route(app, 'GET /suppliers/:id/terms', ({ db, shop, params, query }) =>
    getSupplierTerms(db, shop.id, params.id, query),
  )
  route(app, 'POST /suppliers/archive', ({ db, shop, body }) => archiveSuppliers(db, shop.id, body))
  route(app, 'POST /suppliers/restore', ({ db, shop, body }) => restoreSuppliers(db, shop.id, body))
  route(app, 'POST /suppliers/:id/restore', ({ db, shop, params }) => restoreSupplier(db, shop.id, params.id))
  route(app, 'POST /suppliers/:id/merge', ({ db, shop, params, body }) =>
    mergeSupplier(db, shop.id, params.id, body),
  )
  route(app, 'POST /suppliers/from-vendors', ({ db, shop, body }) =>
    createSuppliersFromVendors(db, shop.id, body),
  )
  listRoute(app, 'GET /suppliers/:id/products', ({ db, shop, params, query }) =>
    listSupplierProducts(db, shop.id, params.id, query),
  )
  route(app, 'POST /suppliers/:id/products', ({ db, shop, params, body }) =>
    createSupplierProduct(db, shop.id, params.id, body),
  )
  route(app, 'POST /suppliers/:id/products/bulk', ({ db, shop, params, body }) =>
    saveSupplierProducts(db, shop.id, params.id, body),
  )
  route(app, 'PUT /suppliers/:id/products/:supplierProductId', ({ db, shop, params, body }) =>
    updateSupplierProduct(db, shop.id, params.id, params.supplierProductId, body),
  )
  route(app, 'DELETE /suppliers/:id/products/:supplierProductId', ({ db, shop, params }) =>
    deleteSupplierProduct(db, shop.id, params.id, params.supplierProductId),
  )
  route(app, 'POST /suppliers/:id/contacts', ({ db, shop, params, body }) =>
    addSupplierContact(db, shop.id, params.id, body),
  )
  route(app, 'PUT /suppliers/:id/contacts/:contactId', ({ db, shop, params, body }) =>
    updateSupplierContact(db, shop.id, params.id, params.contactId, body),
  )
  route(app, 'DELETE /suppliers/:id/contacts/:contactId', ({ db, shop, params }) =>
    deleteSupplierContact(db, shop.id, params.id, params.contactId),
  )
}
