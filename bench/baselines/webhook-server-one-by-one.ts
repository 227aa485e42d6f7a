import { buildApp } from '../../api/app.ts'
import { openDb } from '../../shared/db/db.ts'
import { storeDeliveries } from '../../shared/domain/exchange/webhooks/deliveries.ts'
import { createPdfRenderer } from '../../shared/pdf/renderer.ts'
import { readConfig } from '../../shared/process.ts'
import { createLog } from '../../shared/telemetry/log.ts'

/**
 * Our own endpoint without group commit: each delivery is stored in its own transaction, one per connection at a
 * time.
 */
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
    if (!reception) throw new Error('The database returned no outcome')
    return reception
  },
})
process.once('SIGINT', () => process.exit(0))
await app.listen({ host: '127.0.0.1', port: config.PORT })
