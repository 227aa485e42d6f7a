import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listAlerts } from '../../shared/domain/alerts/alerts.ts'
import { configureAlerts, getAlertConfiguration } from '../../shared/domain/alerts/configure.ts'
import { readAlert, readAllAlerts } from '../../shared/domain/alerts/read.ts'
import { ok, okPage } from '../http/envelope.ts'
import { route } from '../http/route.ts'

export const alerts: FastifyPluginAsyncTypebox = async (app) => {
  route(app, 'GET /alerts', async (request, reply) =>
    okPage(request, reply, await listAlerts(request.db, request.shop.id, request.query)),
  )

  route(app, 'POST /alerts/:id/read', async ({ db, shop, params }) =>
    ok(await readAlert(db, shop.id, params.id)),
  )

  route(app, 'POST /alerts/read-all', async ({ db, shop, body }) =>
    ok(await readAllAlerts(db, shop.id, body ?? {})),
  )

  route(app, 'GET /alerts/configure', async ({ db, shop }) => ok(await getAlertConfiguration(db, shop.id)))

  route(app, 'POST /alerts/configure', async ({ db, shop, body }) =>
    ok(await configureAlerts(db, shop.id, body)),
  )
}
