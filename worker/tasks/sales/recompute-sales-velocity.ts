import { recomputeSalesVelocity as recompute } from '../../../shared/domain/ledgers/sales/velocity.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { defineTask } from '../../queue/task.ts'

/** Computes sales velocities: of all variants every night and after a sync, of the sold ones soon after sales. */
export const recomputeSalesVelocity = defineTask(
  jobs.recomputeSalesVelocity,
  ({ db }, { shopId, isWhole = false }) => recompute(db, shopId, { isWhole }),
)
