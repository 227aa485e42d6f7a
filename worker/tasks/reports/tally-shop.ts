import { jobs } from '../../../shared/queue/jobs.ts'
import { defineTask } from '../../queue/task.ts'

export const tallyShop = defineTask(jobs.tallyShop, async () => {})
