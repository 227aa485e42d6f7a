import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  listMailTemplates,
  resetMailTemplate,
  sampleMailTemplate,
  saveMailTemplate,
} from '../../shared/domain/records/mail-templates/mail-templates.ts'
import { route, serve } from '../http/route.ts'

export const mailTemplates: FastifyPluginAsyncTypebox = async (app) => {
  serve(app, 'GET /mail-templates', listMailTemplates)
  route(app, 'PUT /mail-templates/:kind', ({ db, shop, params, body }) =>
    saveMailTemplate(db, shop.id, params.kind, body),
  )
  route(app, 'DELETE /mail-templates/:kind', ({ db, shop, params }) =>
    resetMailTemplate(db, shop.id, params.kind),
  )
  route(app, 'POST /mail-templates/:kind/preview', ({ db, shop, params, body }) =>
    sampleMailTemplate(db, shop.id, params.kind, body),
  )
}
