import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listAlerts } from '../../shared/domain/kit/alerts/alerts.ts'
import { configureAlerts, getAlertConfiguration } from '../../shared/domain/kit/alerts/configure.ts'
import { readAlert, readAllAlerts } from '../../shared/domain/kit/alerts/read.ts'
import { route, serve, serveList } from '../http/route.ts'

export const alerts: FastifyPluginAsyncTypebox = async (app) => {
  serveList(app, 'GET /alerts', listAlerts, 'query')
  serve(app, 'POST /alerts/:id/read', readAlert, 'id')
  route(app, 'POST /alerts/read-all', ({ db, shop, body }) => readAllAlerts(db, shop.id, body ?? {}))
  serve(app, 'GET /alerts/configure', getAlertConfiguration)
  serve(app, 'POST /alerts/configure', configureAlerts, 'body')
}
