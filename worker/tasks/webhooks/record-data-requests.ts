import { applyDataRequests } from '../../../shared/domain/exchange/webhooks/customer-requests.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { applyInTransaction, defineDeliveryTask } from '../../queue/delivery-task.ts'
import { logApplied } from './redact-customers.ts'

/** Records that customers asked what is stored about them. The log line is for operators. */
export const recordDataRequests = defineDeliveryTask(jobs.recordDataRequests, async (batch) => {
  const settlements = await applyInTransaction(batch, applyDataRequests)
  logApplied(batch, settlements, 'customer data requested')
  return settlements
})
