import type { FastifyInstance } from 'fastify'
import { readSchemaVersion, schemaVersion } from '../../shared/db/schema-state.ts'

/** `/readyz` answers 503 while stopping, or without Postgres or a required migration; a newer schema is fine. */
export async function health(app: FastifyInstance): Promise<void> {
  const options = { schema: { hide: true }, config: { isNeverShed: true } }

  app.get('/healthz', options, async () => ({ status: 'ok' }))

  app.get('/readyz', options, async (request, reply) => {
    const obstacle = await findObstacle()
    if (!obstacle) return { status: 'ready' }
    request.log.warn({ obstacle }, 'not ready')
    return reply.code(503).header('retry-after', '2').send({ status: obstacle })
  })

  async function findObstacle(): Promise<string | null> {
    if (app.isStopping()) return 'stopping'
    try {
      return (await readSchemaVersion(app.db)) < schemaVersion ? 'not migrated' : null
    } catch {
      return 'no database'
    }
  }
}
