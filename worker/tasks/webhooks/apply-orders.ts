import { applyOrders as apply } from '../../../shared/domain/webhooks/orders-create.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { defineDeliveryTask } from '../../queue/delivery-task.ts'

/** Records what new orders sold. */
export const applyOrders = defineDeliveryTask(jobs.applyOrders, apply)
