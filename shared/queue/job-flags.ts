import { requestFlags } from '../telemetry/request-context.ts'
import type { Job } from './jobs.ts'

/** The worker shares its concurrency slots by these flags (`worker/queue/fair-slots.ts`). */
export const bulkFlag = 'bulk'
export const shopFlagPrefix = 'shop:'

/** The flags of a job: the requests that caused it, the shop of its payload if it has one, and whether it is bulk work. */
export function jobFlags({ isBulk }: Pick<Job, 'isBulk'>, payload?: unknown): string[] {
  const { shopId } = Object(payload)
  return [
    ...requestFlags(),
    ...(Number.isSafeInteger(shopId) ? [`${shopFlagPrefix}${shopId}`] : []),
    ...(isBulk ? [bulkFlag] : []),
  ]
}
