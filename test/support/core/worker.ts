import { randomUUID } from 'node:crypto'
import type { Static, TSchema } from '@sinclair/typebox'
import type { JobHelpers } from 'graphile-worker'
import type { Test } from 'tap'
import { type Platform, startPlatform } from '../../../dev/simulator/server.ts'
import type { DatabasePool, Db } from '../../../shared/db/db.ts'
import { createPdfRenderer } from '../../../shared/pdf/renderer.ts'
import type { Delivery, DeliveryJob, Job } from '../../../shared/queue/jobs.ts'
import type { Log } from '../../../shared/telemetry/log.ts'
import { createScrub } from '../../../shared/telemetry/scrub.ts'
import { createImportFileReader } from '../../../worker/import-files/reader.ts'
import { createDigestWriter } from '../../../worker/mail/digest-mail.ts'
import { createMailer } from '../../../worker/mail/mailer.ts'
import { createAdminApi } from '../../../worker/platform/admin-api.ts'
import type { Services } from '../../../worker/queue/task.ts'
import { tasks } from '../../../worker/tasks.ts'
import { fileDatabase, testConfig, testKeys } from './database.ts'
import { queuedJobs } from './jobs.ts'
import { recordedLog } from './outputs.ts'
import { idleTimeoutMs, processEnd } from './shared.ts'

/**
 * Runs one attempt of a job as the queue does, with its payload serialised to JSON. Without `jobId`, each run is a
 * new job.
 */
export type Perform = <P extends TSchema>(
  job: Job<P>,
  payload: Static<P>,
  attempt?: {
    jobId?: string
    isLast?: boolean
    signal?: AbortSignal
    flags?: Record<string, true>
    /** The job was retried or freed after it was added. */
    isTouched?: boolean
  },
) => Promise<unknown>

/** Starts a mail service and the worker's tasks. Requests to the platform are retried without pauses. */
export async function startTasks(
  t: Test,
  db: DatabasePool,
  {
    serverToken = testKeys.POSTMARK_SERVER_TOKEN,
    env = {},
    log,
  }: { serverToken?: string | undefined; env?: Record<string, string>; log?: Log } = {},
): Promise<{ platform: Platform; perform: Perform; services: Services }> {
  const platform = await startMailService(t)
  const config = testConfig(await fileDatabase(), {
    POSTMARK_API_URL: platform.url,
    POSTMARK_SERVER_TOKEN: serverToken,
    ...env,
  })
  const services: Services = {
    db,
    ...shareThreads(),
    mailer: createMailer(config),
    writeDigest: createDigestWriter(config),
    log: log ?? recordedLog(config, 'worker'),
    gidNamespace: 'platform',
    adminApi: createAdminApi(config, db, { pause: async (_ms, signal) => signal.throwIfAborted() }),
    webhookUrl: `${config.APP_URL}/webhooks`,
  }
  const perform: Perform = async (job, payload, attempt = {}) => {
    const { jobId = randomUUID(), isLast = false, signal, flags = null, isTouched = false } = attempt
    const definition = tasks.find(({ name }) => name === job.name)
    if (!definition) throw new Error(`No task runs ${job.name}`)
    const now = new Date()
    const helpers: Pick<JobHelpers, 'abortSignal'> & { job: Partial<JobHelpers['job']> } = {
      abortSignal: signal ?? new AbortController().signal,
      job: {
        id: jobId,
        attempts: isLast ? job.maxAttempts : 1,
        max_attempts: job.maxAttempts,
        created_at: now,
        updated_at: isTouched ? new Date(now.getTime() + 1) : now,
        flags,
      },
    }
    const task = definition.bind(services, services.log, createScrub(config), {
      begin: () => () => {},
      stop: async () => {},
    })
    return task(JSON.parse(JSON.stringify(payload)), helpers as JobHelpers)
  }
  return { platform, perform, services }
}

let threads: Pick<Services, 'pdf' | 'importFiles'> | undefined

/** The threads of this process, since each loads its modules for half a second. */
function shareThreads(): Pick<Services, 'pdf' | 'importFiles'> {
  if (!threads) {
    const pdf = createPdfRenderer({ idleTimeoutMs })
    const importFiles = createImportFileReader({ idleTimeoutMs })
    processEnd.teardown(() => Promise.all([pdf.close(), importFiles.close()]))
    threads = { pdf, importFiles }
  }
  return threads
}

export async function startMailService(t: Test): Promise<Platform> {
  const platform = await startPlatform({
    apiKey: testKeys.PLATFORM_API_KEY,
    apiSecret: testKeys.PLATFORM_API_SECRET,
    serverToken: testKeys.POSTMARK_SERVER_TOKEN,
  })
  t.teardown(platform.close)
  return platform
}

/** The payloads of a shop's queued jobs of one kind, oldest first. */
export async function enqueued<P extends TSchema>(db: Db, job: Job<P>, shopId: number): Promise<Static<P>[]> {
  const queued = await queuedJobs(db, { shopId, task: job.name })
  return queued.map(({ payload }) => payload as Static<P>)
}

/** The delivery lists of a shop's queued jobs of one kind, oldest first. */
export async function deliveryJobs(db: Db, job: DeliveryJob, shopId: number): Promise<Delivery[][]> {
  const queued = await queuedJobs(db, { shopId, task: job.name })
  return queued.map(({ payload }) => payload as Delivery[])
}
