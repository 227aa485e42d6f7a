import { findUnprojected, projectBatch } from '../../../shared/domain/exchange/webhooks/customer-data.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { defineTask } from '../../queue/task.ts'

/** Removes customers' data from the deliveries that the previous release stored, in batches. A repeated run continues. */
export const projectDeliveries = defineTask(
  jobs.projectDeliveries,
  async ({ db, log }, _payload, { signal }) => {
    for (const shopId of await findUnprojected(db)) {
      let projected = 0
      for (let count = -1; count !== 0; projected += count) {
        signal.throwIfAborted()
        count = await projectBatch(db, shopId)
      }
      log.info({ shopId, projected }, 'customer data removed from stored webhooks')
    }
  },
)
