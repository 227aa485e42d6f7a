import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { getSync, startSync } from '../../shared/domain/sync.ts'
import { Ok } from '../../shared/schemas/common.ts'
import { Sync } from '../../shared/schemas/sync.ts'
import { ok } from '../envelope.ts'

export const sync: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/sync', { schema: { response: { 200: Ok(Sync) } } }, async ({ shop }) =>
    ok(await getSync(app.db, shop.id)),
  )

  app.post('/sync', { schema: { response: { 200: Ok(Sync), 201: Ok(Sync) } } }, async ({ shop }, reply) => {
    const started = await startSync(app.db, shop.id)
    return reply.code(started.isNew ? 201 : 200).send(ok(started.sync))
  })
}
