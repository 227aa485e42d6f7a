import { requestFlags } from '../telemetry/request-context.ts'
import type { Job } from './jobs.ts'

/** The worker shares its concurrency slots by these flags (`worker/queue/fair-slots.ts`). */
export const bulkFlag = 'bulk'
export const shopFlagPrefix = 'shop:'

/**
 * The flags of a job: the requests that caused it, the shop of its payload, and whether it is bulk work. A list has a shop when
 * all its entries have the same.
 */
export function jobFlags({ isBulk }: Pick<Job, 'isBulk'>, payload?: unknown): string[] {
  const shopIds = new Set([payload].flat().map((entry) => Object(entry).shopId))
  const [shopId] = shopIds.size === 1 ? shopIds : []
  return [
    ...requestFlags(),
    ...(Number.isSafeInteger(shopId) ? [`${shopFlagPrefix}${shopId}`] : []),
    ...(isBulk ? [bulkFlag] : []),
  ]
}
