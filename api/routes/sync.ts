import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { getSync, startSync } from '../../shared/domain/sync.ts'
import { Ok } from '../../shared/schemas/common.ts'
import { Sync } from '../../shared/schemas/sync.ts'
import { ok } from '../envelope.ts'

export const sync: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/sync', { schema: { response: { 200: Ok(Sync) } } }, async ({ db, shop }) =>
    ok(await getSync(db, shop.id)),
  )

  app.post(
    '/sync',
    { schema: { response: { 200: Ok(Sync), 201: Ok(Sync) } } },
    async ({ db, shop }, reply) => {
      const started = await startSync(db, shop.id)
      reply.code(started.isNew ? 201 : 200)
      return ok(started.sync)
    },
  )
}
