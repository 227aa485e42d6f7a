import { recomputeMargins as recompute } from '../../../shared/domain/ledgers/margins/recompute.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { defineTask } from '../../queue/task.ts'

/** Stores what the sales of each variant earned in the last 7, 30 and 90 days. */
export const recomputeMargins = defineTask(jobs.recomputeMargins, ({ db }, { shopId }) =>
  recompute(db, shopId),
)
