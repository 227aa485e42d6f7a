import { buildApp } from '../../api/app.ts'
import type { DatabasePool } from '../../shared/db/db.ts'
import { schemaVersion } from '../../shared/db/schema-state.ts'
import { createPdfRenderer } from '../../shared/pdf/renderer.ts'
import { readConfig } from '../../shared/process.ts'
import { createLog } from '../../shared/telemetry/log.ts'

/** Our own endpoint with a stub database that returns immediately: the cost of everything except storing. */
const config = readConfig(process.env, 'web')
const db = {
  any: async ({ values: [domains = []] }: { values: readonly string[][] }) =>
    domains.map((_, position) => ({ position, isInstalled: true, isStored: true })),
  one: async () => ({ exists: true, version: schemaVersion }),
  state: () => ({ waitingClients: 0 }),
}
const app = await buildApp({
  config,
  db: db as unknown as DatabasePool,
  log: createLog(config, 'web'),
  pdf: createPdfRenderer(),
  isStopping: () => false,
})
process.once('SIGINT', () => process.exit(0))
await app.listen({ host: '127.0.0.1', port: config.PORT })
