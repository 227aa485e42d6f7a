import { recomputeSalesVelocity as recompute } from '../../../shared/domain/sales/velocity.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { defineTask } from '../../queue/task.ts'

/** Computes how fast variants sell: nightly and after a sync all of the shop, soon after sales those that were sold. */
export const recomputeSalesVelocity = defineTask(
  jobs.recomputeSalesVelocity,
  ({ db }, { shopId, isWhole = false }) => recompute(db, shopId, { isWhole }),
)
