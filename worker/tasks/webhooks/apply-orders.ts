import { applyOrders as apply } from '../../../shared/domain/exchange/webhooks/orders-create.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { applyInTransaction, defineDeliveryTask } from '../../queue/delivery-task.ts'

/** Records the sales of new and changed orders. */
export const applyOrders = defineDeliveryTask(jobs.applyOrders, (batch) => applyInTransaction(batch, apply))
