import { Type } from '@sinclair/typebox'
import { defineJob } from '../../shared/queue/jobs.ts'

/** A job that is only counted, so that the benchmark measures the queue. `at` identifies the job. */
export const countedJob = defineJob('be-counted', Type.Object({ at: Type.Integer() }), 12)
export type CountedJob = { at: number }

/** The message to a worker process with the number of jobs to count, and its reply after that many. */
export type CountOrder = { jobs: number }
export type Count = { runs: number; distinct: number }
