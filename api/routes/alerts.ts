import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listAlerts } from '../../shared/domain/alerts/alerts.ts'
import { configureAlerts, getAlertConfiguration } from '../../shared/domain/alerts/configure.ts'
import { readAlert, readAllAlerts } from '../../shared/domain/alerts/read.ts'
import { listRoute, route } from '../http/route.ts'

export const alerts: FastifyPluginAsyncTypebox = async (app) => {
  listRoute(app, 'GET /alerts', ({ db, shop, query }) => listAlerts(db, shop.id, query))
  route(app, 'POST /alerts/:id/read', ({ db, shop, params }) => readAlert(db, shop.id, params.id))
  route(app, 'POST /alerts/read-all', ({ db, shop, body }) => readAllAlerts(db, shop.id, body ?? {}))
  route(app, 'GET /alerts/configure', ({ db, shop }) => getAlertConfiguration(db, shop.id))
  route(app, 'POST /alerts/configure', ({ db, shop, body }) => configureAlerts(db, shop.id, body))
}
