import { makeDigest as makeDueDigest } from '../../../shared/domain/views/digest/make.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { defineTask } from '../../queue/task.ts'

/** Computes the digest of a shop's day, and enqueues its mails. */
export const makeDigest = defineTask(jobs.makeDigest, ({ db }, { shopId, digestId }) =>
  makeDueDigest(db, shopId, digestId),
)
