import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { cancelPurchaseOrder } from '../../shared/domain/purchase-orders/cancel.ts'
import { closePurchaseOrder } from '../../shared/domain/purchase-orders/close.ts'
import { deletePurchaseOrder } from '../../shared/domain/purchase-orders/delete.ts'
import { getOrderDocument } from '../../shared/domain/purchase-orders/document.ts'
import { updatePurchaseOrder } from '../../shared/domain/purchase-orders/edit.ts'
import {
  createPurchaseOrder,
  getPurchaseOrder,
  listPurchaseOrders,
} from '../../shared/domain/purchase-orders/purchase-orders.ts'
import { sendPurchaseOrder } from '../../shared/domain/purchase-orders/send.ts'
import { IdParam, List, Message, Ok } from '../../shared/schemas/common.ts'
import {
  CancelledPurchaseOrder,
  ClosedPurchaseOrder,
  CreatedPurchaseOrder,
  PurchaseOrder,
  PurchaseOrderFilter,
  PurchaseOrderInput,
  PurchaseOrderListItem,
  PurchaseOrderPatch,
  SendPurchaseOrder,
  SentPurchaseOrder,
} from '../../shared/schemas/purchase-orders.ts'
import { created, ok, okPage } from '../http/envelope.ts'

export const purchaseOrders: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/purchase-orders',
    {
      schema: {
        summary: 'List purchase orders, newest first',
        querystring: PurchaseOrderFilter,
        response: { 200: Ok(List(PurchaseOrderListItem)) },
      },
      config: { csv: Object.keys(PurchaseOrderListItem.properties) },
    },
    async (request, reply) =>
      okPage(request, reply, await listPurchaseOrders(request.db, request.shop.id, request.query)),
  )

  app.post(
    '/purchase-orders',
    {
      schema: {
        summary: 'Create a draft',
        body: PurchaseOrderInput,
        response: { 201: Ok(CreatedPurchaseOrder) },
      },
    },
    async ({ db, shop, actor, body }, reply) =>
      created(reply, await createPurchaseOrder(db, shop.id, actor, body)),
  )

  app.get(
    '/purchase-orders/:id',
    {
      schema: {
        summary: 'Get a purchase order with its lines and the state of its e-mail',
        params: IdParam,
        response: { 200: Ok(PurchaseOrder) },
      },
    },
    async ({ db, shop, params }) => ok(await getPurchaseOrder(db, shop.id, params.id)),
  )

  app.put(
    '/purchase-orders/:id',
    {
      schema: {
        summary: 'Change a draft, or the notes and the expected date of a sent order',
        params: IdParam,
        body: PurchaseOrderPatch,
        response: { 200: Ok(PurchaseOrder) },
      },
    },
    async ({ db, shop, params, body }) => ok(await updatePurchaseOrder(db, shop.id, params.id, body)),
  )

  app.delete(
    '/purchase-orders/:id',
    {
      schema: {
        summary: 'Delete a draft or a cancelled order',
        params: IdParam,
        response: { 200: Ok(Message) },
      },
    },
    async ({ db, shop, params }) => ok(await deletePurchaseOrder(db, shop.id, params.id)),
  )

  app.post(
    '/purchase-orders/:id/send',
    {
      schema: {
        summary: 'Send a draft to its supplier by e-mail, or e-mail it again',
        params: IdParam,
        body: SendPurchaseOrder,
        response: { 200: Ok(SentPurchaseOrder) },
      },
    },
    async ({ db, shop, actor, params, body }) =>
      ok(await sendPurchaseOrder(db, shop.id, params.id, actor, body ?? {})),
  )

  app.post(
    '/purchase-orders/:id/cancel',
    {
      schema: {
        summary: 'Cancel a draft or a sent order',
        params: IdParam,
        response: { 200: Ok(CancelledPurchaseOrder) },
      },
    },
    async ({ db, shop, params }) => ok(await cancelPurchaseOrder(db, shop.id, params.id)),
  )

  app.post(
    '/purchase-orders/:id/close',
    {
      schema: {
        summary: 'End an order of which nothing more is to come',
        params: IdParam,
        response: { 200: Ok(ClosedPurchaseOrder) },
      },
    },
    async ({ db, shop, params }) => ok(await closePurchaseOrder(db, shop.id, params.id)),
  )

  app.get(
    '/purchase-orders/:id/pdf',
    {
      schema: { summary: 'The order as the PDF that its supplier gets', params: IdParam },
      config: { produces: 'application/pdf' },
    },
    async ({ db, shop, params, signal }, reply) => {
      const order = await getOrderDocument(db, shop.id, params.id)
      return reply
        .type('application/pdf')
        .header('content-disposition', `inline; filename="${order.poNumber}.pdf"`)
        .send(await app.pdf.render(order, { signal }))
    },
  )
}
