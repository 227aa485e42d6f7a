import { Type } from '@sinclair/typebox'

/** A job that is only counted, so that the benchmark measures the queue. `at` identifies the job. */
export const countedJob = {
  name: 'be-counted',
  payload: Type.Object({ at: Type.Integer() }),
  maxAttempts: 12,
}
export type CountedJob = { at: number }

/** The message to a worker process with the number of jobs to count, and its reply after that many. */
export type CountOrder = { jobs: number }
export type Count = { runs: number; distinct: number }
