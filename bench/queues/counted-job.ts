import { Type } from '@sinclair/typebox'

/** A job that does nothing but be counted, so that what is measured is the queue; `at` tells one from the others. */
export const countedJob = {
  name: 'be-counted',
  payload: Type.Object({ at: Type.Integer() }),
  maxAttempts: 12,
}
export type CountedJob = { at: number }

/** What a worker is asked to wait for, and what it answers when so many jobs have run. */
export type CountOrder = { jobs: number }
export type Count = { runs: number; distinct: number }
