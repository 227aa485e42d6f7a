import { buildApp } from '../../api/app.ts'
import { openDb } from '../../shared/db/db.ts'
import { storeDeliveries } from '../../shared/domain/webhooks/deliveries.ts'
import { createPdfRenderer } from '../../shared/pdf/renderer.ts'
import { readConfig } from '../../shared/process.ts'
import { createLog } from '../../shared/telemetry/log.ts'

/** Our own endpoint, but that each delivery is stored by itself, as many at once as there are connections. */
const config = readConfig(process.env, 'web')
const db = await openDb(config, config.WEB_POOL_SIZE)
const app = await buildApp({
  config,
  db,
  log: createLog(config, 'web'),
  pdf: createPdfRenderer(),
  isStopping: () => false,
  storeDelivery: async (delivery) => {
    const [reception] = await storeDeliveries(db, [delivery])
    if (!reception) throw new Error('Nobody knows what became of it')
    return reception
  },
})
process.once('SIGINT', () => process.exit(0))
await app.listen({ host: '127.0.0.1', port: config.PORT })
