import {
  type CostPush,
  claimCostPushes,
  hasUnconfirmedCosts,
  renewClaim,
} from '../../../shared/domain/ledgers/cost-pushes/claim.ts'
import {
  failCostPush,
  releaseCostPushes,
  settleCostPush,
} from '../../../shared/domain/ledgers/cost-pushes/finish.ts'
import { resumeCostPushes } from '../../../shared/domain/ledgers/cost-pushes/request.ts'
import { PlatformError } from '../../../shared/platform/errors.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { documents } from '../../platform/documents.ts'
import { type Attempt, defineTask, type Services } from '../../queue/task.ts'
import { startTimeBudget } from '../../queue/time-budget.ts'

/**
 * Sends the shop's waiting costs to the platform until none is left. `shared/domain/ledgers/cost-pushes/request.ts` has the states.
 * Setting a cost twice has the effect of once, so an attempt that ended before it stored the answer is repeated as a whole.
 */
export const pushCosts = defineTask(jobs.pushCosts, async (services, { shopId }, attempt) => {
  const { db } = services
  const isOver = startTimeBudget()
  while (!isOver()) {
    attempt.signal.throwIfAborted()
    const pushes = await claimCostPushes(db, shopId, attempt.jobId)
    if (pushes.length === 0) break
    for (const push of pushes) {
      if (isOver()) break
      if (!(await renewClaim(db, shopId, attempt.jobId, push))) continue
      await send(services, shopId, push, attempt)
    }
  }
  await releaseCostPushes(db, shopId, attempt.jobId, '')
  if (isOver()) return db.transaction((tx) => resumeCostPushes(tx, shopId))
  if (await hasUnconfirmedCosts(db, shopId)) {
    throw new Error('A cost waits for a product that the platform has not confirmed yet')
  }
})

/** Throws when the shop's other costs must wait, too. The nightly job of costs begins again after the last attempt. */
async function send(
  { db, adminApi, log }: Services,
  shopId: number,
  push: CostPush,
  attempt: Attempt,
): Promise<void> {
  const { inventoryItemGid: id, cost, variantId } = push
  const fail = async (reason: string) => {
    await failCostPush(db, shopId, push, reason)
    log.warn({ shopId, variantId, reason }, 'cost was not accepted')
  }
  if (id === null) return fail('The platform does not know the product.')
  try {
    const { inventoryItemUpdate } = await adminApi(shopId).query(
      documents.updateInventoryItem,
      { id, input: { cost } },
      { signal: attempt.signal },
    )
    const { inventoryItem, userErrors } = inventoryItemUpdate
    if (userErrors.length > 0 || !inventoryItem) {
      const messages = userErrors.map(({ message }) => message.replaceAll('\u0000', '')).join(' ')
      return fail(messages.slice(0, 500) || 'The platform rejected the request.')
    }
    const { unitCost, updatedAt } = inventoryItem
    await settleCostPush(db, shopId, push, { cost: unitCost?.amount ?? null, updatedAt })
  } catch (error) {
    if (attempt.signal.aborted || !(error instanceof Error)) throw error
    if (error instanceof PlatformError && error.kind === 'rejected')
      return fail('The platform rejected the request.')
    await releaseCostPushes(db, shopId, attempt.jobId, error.message.slice(0, 500))
    throw error
  }
}
