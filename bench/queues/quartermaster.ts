import { runProcess } from '../../shared/process.ts'
import { startWorker } from '../../worker/main.ts'
import { defineTask } from '../../worker/queue/task.ts'
import { countJobs } from './count-jobs.ts'
import { countedJob } from './counted-job.ts'

/** Our complete worker with a single task that only counts. */
const count = countJobs()
const task = defineTask(countedJob, async (_services, job) => count(job))
await runProcess({ name: 'worker', env: process.env, stopWithinMs: 24_000 }, startWorker([task]))
