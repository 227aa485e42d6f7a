import { applyOrders as apply } from '../../shared/domain/order-news.ts'
import { jobs } from '../../shared/jobs.ts'
import { defineDeliveryTask } from '../delivery-task.ts'

/** Records what new orders sold. */
export const applyOrders = defineDeliveryTask(jobs.applyOrders, apply)
