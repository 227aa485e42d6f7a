import type { TaskDefinition } from './task.ts'
import { sendPurchaseOrder } from './tasks/send-purchase-order.ts'

/** Every task there is: one for each job of `shared/jobs.ts`. */
export const tasks: readonly TaskDefinition[] = [sendPurchaseOrder]
