import { applyProducts as apply } from '../../shared/domain/product-news.ts'
import { jobs } from '../../shared/jobs.ts'
import { defineDeliveryTask } from '../delivery-task.ts'

/** Takes over products that changed on the platform. */
export const applyProducts = defineDeliveryTask(jobs.applyProducts, apply)
