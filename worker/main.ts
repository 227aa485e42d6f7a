import { databaseAddress } from '../shared/config.ts'
import { openDb } from '../shared/db/db.ts'
import { untilConnected } from '../shared/db/first-connection.ts'
import { requireKnownSchema, warnOfLostSettings } from '../shared/db/schema-state.ts'
import { watchProcess } from '../shared/domain/kit/operations/watch-process.ts'
import { createPdfRenderer } from '../shared/pdf/renderer.ts'
import { presets } from '../shared/platform/presets.ts'
import { runProcess, type Start } from '../shared/process.ts'
import { createMetrics } from '../shared/telemetry/metrics.ts'
import { createScrub } from '../shared/telemetry/scrub.ts'
import { serveMetrics } from '../shared/telemetry/serve-metrics.ts'
import { createImportFileReader } from './import-files/reader.ts'
import { createDigestWriter } from './mail/digest-mail.ts'
import { createMailer } from './mail/mailer.ts'
import { createAdminApi } from './platform/admin-api.ts'
import { createCrashGuard } from './queue/crashes/crash-guard.ts'
import { createHeartbeat } from './queue/crashes/heartbeat.ts'
import { startWatchdog } from './queue/crashes/watchdog.ts'
import { createJobRuns } from './queue/job-runs.ts'
import { startQueue } from './queue/runtime.ts'
import type { TaskDefinition } from './queue/task.ts'
import { startSchedule } from './schedule.ts'
import { tasks } from './tasks.ts'

/** Starts a worker. Of its connections one is for the heartbeat, 3/8 are for the queue, and the rest are for tasks. */
export const startWorker =
  (definitions: readonly TaskDefinition[]): Start =>
  async (config, log, fail, stopping) => {
    const address = databaseAddress(config)
    const queueConnections = Math.max(2, Math.floor((config.WORKER_POOL_SIZE * 3) / 8))
    const db = await openDb(config, config.WORKER_POOL_SIZE - queueConnections - 1)
    await untilConnected(() => requireKnownSchema(db), log, { stopping })
    await warnOfLostSettings(db, log)
    const pdf = createPdfRenderer({ maxQueue: config.WORKER_CONCURRENCY })
    const importFiles = createImportFileReader()
    const { gidNamespace } = presets[config.PLATFORM]
    const services = {
      db,
      pdf,
      importFiles,
      mailer: createMailer(config),
      writeDigest: createDigestWriter(config),
      log,
      gidNamespace,
      adminApi: createAdminApi(config, db),
      webhookUrl: `${config.APP_URL}/webhooks`,
    }
    const scrub = createScrub(config)
    const heartbeat = createHeartbeat(address, log, fail, stopping)
    const metrics = createMetrics()
    watchProcess(metrics, db)
    const closeMetrics = await serveMetrics(config, metrics, log)
    const runs = createJobRuns({ db, log, metrics, workerId: heartbeat.id })
    const guard = createCrashGuard({ services, scrub, runs, heartbeat })
    const stopWatchdog = startWatchdog()
    const queue = await startQueue({
      address,
      maxConnections: queueConnections,
      concurrency: config.WORKER_CONCURRENCY,
      tasks: Object.fromEntries(definitions.map((task) => [task.name, guard(task)])),
      heartbeat,
      log,
      scrub,
      fail,
      stopping,
    })
    const stopSchedule = startSchedule(db, log)
    return async () => {
      await stopSchedule()
      await queue.stop()
      await runs.stop()
      await heartbeat.unregister()
      closeMetrics()
      await pdf.close()
      await importFiles.close()
      await db.end()
      await stopWatchdog()
    }
  }

if (import.meta.main)
  await runProcess({ name: 'worker', env: process.env, stopWithinMs: 24_000 }, startWorker(tasks))
