import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { getSettings, updateSettings } from '../../shared/domain/shops/settings.ts'
import { Ok } from '../../shared/schemas/common.ts'
import { Settings, SettingsPatch } from '../../shared/schemas/settings.ts'
import { ok } from '../http/envelope.ts'

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

  app.put(
    '/settings',
    {
      schema: {
        summary: 'Change what is given of the settings; the currency is what the platform says',
        body: SettingsPatch,
        response: { 200: Ok(Settings) },
      },
    },
    async ({ db, shop, body }) => ok(await updateSettings(db, shop.id, body)),
  )
}
