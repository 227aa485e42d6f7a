import { run } from 'graphile-worker'
import { countJobs } from '../queues/count-jobs.ts'
import { type CountedJob, countedJob } from '../queues/counted-job.ts'

/** graphile-worker as its documentation starts it, with as many connections as our whole worker has. */
const { DATABASE_URL = '', CONCURRENCY, POOL_SIZE } = process.env
const count = countJobs()
const runner = await run({
  connectionString: DATABASE_URL,
  concurrency: Number(CONCURRENCY),
  maxPoolSize: Number(POOL_SIZE),
  taskList: {
    [countedJob.name]: async (payload) => count(payload as CountedJob),
  },
  parsedCronItems: [],
})
await runner.promise
