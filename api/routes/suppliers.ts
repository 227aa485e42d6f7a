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
import { IdParam, List, Message, Ok, PageQuery } from '../../shared/schemas/common.ts'
import {
  CreatedSupplier,
  Supplier,
  SupplierContact,
  SupplierContactInput,
  SupplierContactParams,
  SupplierContactPatch,
  SupplierInput,
  SupplierListItem,
  SupplierPatch,
  UpdatedSupplier,
} from '../../shared/schemas/suppliers.ts'
import { created, ok, okPage } from '../http/envelope.ts'

export const suppliers: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/suppliers',
    {
      schema: {
        summary: 'List suppliers, newest first',
        querystring: PageQuery,
        response: { 200: Ok(List(SupplierListItem)) },
      },
    },
    async (request, reply) =>
      okPage(request, reply, await listSuppliers(request.db, request.shop.id, request.query)),
  )

  app.post(
    '/suppliers',
    { schema: { summary: 'Create a supplier', body: SupplierInput, response: { 201: Ok(CreatedSupplier) } } },
    async ({ db, shop, body }, reply) => created(reply, await createSupplier(db, shop.id, body)),
  )

  app.get(
    '/suppliers/:id',
    {
      schema: {
        summary: 'Get a supplier with its contacts',
        params: IdParam,
        response: { 200: Ok(Supplier) },
      },
    },
    async ({ db, shop, params }) => ok(await getSupplier(db, shop.id, params.id)),
  )

  app.put(
    '/suppliers/:id',
    {
      schema: {
        summary: 'Change what is given of a supplier',
        params: IdParam,
        body: SupplierPatch,
        response: { 200: Ok(UpdatedSupplier) },
      },
    },
    async ({ db, shop, params, body }) => ok(await updateSupplier(db, shop.id, params.id, body)),
  )

  app.delete(
    '/suppliers/:id',
    {
      schema: {
        summary: 'Delete a supplier, or archive one that orders name',
        params: IdParam,
        response: { 200: Ok(Message) },
      },
    },
    async ({ db, shop, params }) => ok(await deleteSupplier(db, shop.id, params.id)),
  )

  app.post(
    '/suppliers/:id/contacts',
    {
      schema: {
        summary: 'Add a contact',
        params: IdParam,
        body: SupplierContactInput,
        response: { 201: Ok(SupplierContact) },
      },
    },
    async ({ db, shop, params, body }, reply) =>
      created(reply, await addSupplierContact(db, shop.id, params.id, body)),
  )

  app.put(
    '/suppliers/:id/contacts/:contactId',
    {
      schema: {
        summary: 'Change what is given of a contact',
        params: SupplierContactParams,
        body: SupplierContactPatch,
        response: { 200: Ok(SupplierContact) },
      },
    },
    async ({ db, shop, params, body }) =>
      ok(await updateSupplierContact(db, shop.id, params.id, params.contactId, body)),
  )

  app.delete(
    '/suppliers/:id/contacts/:contactId',
    {
      schema: { summary: 'Delete a contact', params: SupplierContactParams, response: { 200: Ok(Message) } },
    },
    async ({ db, shop, params }) => ok(await deleteSupplierContact(db, shop.id, params.id, params.contactId)),
  )
}
