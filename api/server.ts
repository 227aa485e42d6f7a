import { openDb } from '../shared/db/db.ts'
import { requireKnownSchema, warnOfLostSettings } from '../shared/db/schema-state.ts'
import { createPdfRenderer } from '../shared/pdf/renderer.ts'
import { runProcess, type Start } from '../shared/process.ts'
import { createMetrics, serveMetrics, watchProcess } from '../shared/telemetry/metrics.ts'
import { buildApp } from './app.ts'

/** So long does a request wait for a connection, and so many wait at once; the rest hear 503 at once. */
const waiting = { waitMs: 2_000, maxWaiting: 200 }

/** When it is told to stop it turns new requests away and finishes the ones it has. */
const startWeb: Start = async (config, log) => {
  let isStopping = false
  const db = await openDb(config, config.WEB_POOL_SIZE, waiting)
  await requireKnownSchema(db)
  await warnOfLostSettings(db, log)
  const pdf = createPdfRenderer({ timeoutMs: 8_000, maxQueue: 20 })
  const metrics = createMetrics()
  watchProcess(metrics, db)
  const closeMetrics = await serveMetrics(config, metrics, log)
  const app = await buildApp({ config, db, log, pdf, metrics, isStopping: () => isStopping })
  await app.listen({ port: config.PORT, host: config.HOST })
  return async () => {
    isStopping = true
    await app.close()
    closeMetrics()
    await pdf.close()
    await db.end()
  }
}

if (import.meta.main) await runProcess({ name: 'web', env: process.env, stopWithinMs: 10_000 }, startWeb)
