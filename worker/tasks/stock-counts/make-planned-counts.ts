import { makePlannedCounts as make } from '../../../shared/domain/documents/stock-counts/plans/make-counts.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { defineTask } from '../../queue/task.ts'

/** Makes the counts of the shop's plans that are due. */
export const makePlannedCounts = defineTask(jobs.makePlannedCounts, ({ db }, { shopId }) => make(db, shopId))
