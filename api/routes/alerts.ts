import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listAlerts, readAlert, readAllAlerts } from '../../shared/domain/alerts/alerts.ts'
import { configureAlerts, getAlertConfiguration } from '../../shared/domain/alerts/configuration.ts'
import {
  Alert,
  AlertConfiguration,
  AlertConfigurationPatch,
  AlertFilter,
  ReadAlert,
  ReadAlerts,
  ReadAllAlerts,
} from '../../shared/schemas/alerts.ts'
import { IdParam, List, Message, Ok } from '../../shared/schemas/common.ts'
import { ok, okPage } from '../http/envelope.ts'

export const alerts: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/alerts',
    {
      schema: {
        summary: 'List what a merchant has to look at, newest first',
        querystring: AlertFilter,
        response: { 200: Ok(List(Alert)) },
      },
    },
    async (request, reply) =>
      okPage(request, reply, await listAlerts(request.db, request.shop.id, request.query)),
  )

  app.get(
    '/alerts/configure',
    { schema: { summary: 'What alerts are raised', response: { 200: Ok(AlertConfiguration) } } },
    async ({ db, shop }) => ok(await getAlertConfiguration(db, shop.id)),
  )

  app.post(
    '/alerts/configure',
    {
      schema: {
        summary: 'Change what is given of what alerts are raised',
        body: AlertConfigurationPatch,
        response: { 200: Ok(Message) },
      },
    },
    async ({ db, shop, body }) => ok(await configureAlerts(db, shop.id, body)),
  )

  app.post(
    '/alerts/read-all',
    {
      schema: {
        summary: 'Mark all open alerts as read, or those of one type',
        body: ReadAllAlerts,
        response: { 200: Ok(ReadAlerts) },
      },
    },
    async ({ db, shop, body }) => ok(await readAllAlerts(db, shop.id, body ?? {})),
  )

  app.post(
    '/alerts/:id/read',
    { schema: { summary: 'Mark an alert as read', params: IdParam, response: { 200: Ok(ReadAlert) } } },
    async ({ db, shop, params }) => ok(await readAlert(db, shop.id, params.id)),
  )
}
