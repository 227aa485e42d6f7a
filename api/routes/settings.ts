import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { getSettings } from '../../shared/domain/settings.ts'
import { Ok } from '../../shared/schemas/common.ts'
import { Settings } from '../../shared/schemas/settings.ts'
import { ok } from '../envelope.ts'

export const settings: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/settings',
    {
      schema: {
        summary: 'What suppliers are told about the company; currency, time zone and locale',
        response: { 200: Ok(Settings) },
      },
    },
    async ({ db, shop }) => ok(await getSettings(db, shop.id)),
  )
}
