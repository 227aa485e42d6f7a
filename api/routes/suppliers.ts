import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  addSupplierContact,
  deleteSupplierContact,
  updateSupplierContact,
} from '../../shared/domain/suppliers/contacts.ts'
import {
  createSupplier,
  deleteSupplier,
  getSupplier,
  listSuppliers,
  updateSupplier,
} from '../../shared/domain/suppliers/suppliers.ts'
import { ok, okPage } from '../http/envelope.ts'
import { route } from '../http/route.ts'

export const suppliers: FastifyPluginAsyncTypebox = async (app) => {
  route(app, 'GET /suppliers', async (request, reply) =>
    okPage(request, reply, await listSuppliers(request.db, request.shop.id, request.query)),
  )

  route(app, 'POST /suppliers', async ({ db, shop, body }) => ok(await createSupplier(db, shop.id, body)))

  route(app, 'GET /suppliers/:id', async ({ db, shop, params }) =>
    ok(await getSupplier(db, shop.id, params.id)),
  )

  route(app, 'PUT /suppliers/:id', async ({ db, shop, params, body }) =>
    ok(await updateSupplier(db, shop.id, params.id, body)),
  )

  route(app, 'DELETE /suppliers/:id', async ({ db, shop, params }) =>
    ok(await deleteSupplier(db, shop.id, params.id)),
  )

  route(app, 'POST /suppliers/:id/contacts', async ({ db, shop, params, body }) =>
    ok(await addSupplierContact(db, shop.id, params.id, body)),
  )

  route(app, 'PUT /suppliers/:id/contacts/:contactId', async ({ db, shop, params, body }) =>
    ok(await updateSupplierContact(db, shop.id, params.id, params.contactId, body)),
  )

  route(app, 'DELETE /suppliers/:id/contacts/:contactId', async ({ db, shop, params }) =>
    ok(await deleteSupplierContact(db, shop.id, params.id, params.contactId)),
  )
}
