import type { Static } from '@sinclair/typebox'
import { resumePushes } from '../../../shared/domain/ledgers/stock/push.ts'
import type { StockedVariant } from '../../../shared/domain/ledgers/stock/stocked-variants.ts'
import {
  type ClaimedPush,
  claimPush,
  hasWaitingPushes,
} from '../../../shared/domain/ledgers/stock-pushes/claim.ts'
import {
  failPush,
  pausePush,
  requeuePush,
  settlePush,
} from '../../../shared/domain/ledgers/stock-pushes/finish.ts'
import { isPacked, unpackPush } from '../../../shared/domain/ledgers/stock-pushes/unpack.ts'
import { TokenRevokedError } from '../../../shared/platform/errors.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import {
  classifyError,
  classifyResponse,
  compareHint,
  linesAt,
  type PushOutcome,
} from '../../platform/classify-response.ts'
import { activate, sendPush } from '../../platform/push-request.ts'
import { type Attempt, defineTask, type Services } from '../../queue/task.ts'
import { startTimeBudget } from '../../queue/time-budget.ts'
import { openLevelReader } from '../../sync/read-levels.ts'

const onOurSide = 'Something went wrong on our side.'
/** A push that is refused six times fails, and the merchant decides about it. */
const maxRefusals = 6

/**
 * Sends the shop's stock changes to the platform until none is left. `shared/domain/ledgers/stock/push.ts` has the states.
 * 1. `claimPush` commits the oldest push as `sending`, with its request and its idempotency key.
 * 2. The request is sent, and the response is classified (`worker/platform/classify-response.ts`).
 * 3. Accepted: the push is settled. Rejected: it fails, and the merchant decides. Refused: the cause is removed where
 *    possible, and it is queued with a new key. Retry later: the job fails, and the queue retries it.
 * Guaranteed: the platform applies each push at most once, however often the job runs and wherever it dies.
 */
export const pushStock = defineTask(jobs.pushStock, pushAll, abandonClaimed)

async function pushAll(services: Services, { shopId }: ShopOnly, attempt: Attempt): Promise<void> {
  const { db } = services
  const isOver = startTimeBudget()
  attempt.signal.throwIfAborted()
  for (let push = await claimPush(db, shopId, attempt.jobId); push; ) {
    await pushOrFail({ services, shopId, push, attempt })
    if (isOver()) return resumePushes(db, shopId)
    attempt.signal.throwIfAborted()
    push = await claimPush(db, shopId, attempt.jobId)
  }
  if (await hasWaitingPushes(db, shopId)) {
    throw new Error('A stock change waits for a product that the platform has not confirmed yet')
  }
}

/** Fails the push that the job has claimed, and enqueues a job for the others. */
async function abandonClaimed(services: Services, { shopId }: ShopOnly, { jobId }: { jobId: string }) {
  const { db } = services
  const push = await claimPush(db, shopId, jobId, { isOwnOnly: true })
  if (push) await failPush(db, shopId, push, { lines: push.lines, reason: `${onOurSide} ${compareHint}` })
  await resumePushes(db, shopId)
  return false
}

type ShopOnly = Static<typeof jobs.pushStock.payload>

type PushContext = { services: Services; shopId: number; push: ClaimedPush; attempt: Attempt }

/** Throws when the shop's other pushes must wait, too. At the last attempt a push that is a day old fails. */
async function pushOrFail(context: PushContext): Promise<void> {
  const { services, shopId, push, attempt } = context
  try {
    await pushOnce(context)
  } catch (error) {
    if (attempt.isLast && !attempt.signal.aborted && !(error instanceof TokenRevokedError)) {
      const reason = classifyError(push, error)?.reason ?? onOurSide
      if (push.isDayOld) await fail(context, { lines: push.lines, reason: `${reason} ${compareHint}` })
      await resumePushes(services.db, shopId)
    }
    throw error
  }
}

async function pushOnce(context: PushContext): Promise<void> {
  const { services, shopId, push, attempt } = context
  const { db } = services
  const unknown = push.lines.filter(({ inventoryItemGid }) => inventoryItemGid === null)
  if (push.isKeyExpired) return fail(context, { lines: push.lines, reason: unconfirmed })
  if (unknown.length > 0) return fail(context, { lines: unknown, reason: unknownProduct })
  if (push.request.length === 0) return settlePush(db, shopId, push, null)

  const outcome = await send(context)
  if (outcome.kind === 'accepted') return settlePush(db, shopId, push, outcome.answer)
  if (outcome.kind === 'rejected')
    return outcome.isUnapplied ? refuse(context, outcome) : fail(context, outcome)
  if (outcome.kind === 'refused') return
  const { isOutcomeUnknown, isKeyReusable, reason, error } = outcome
  const isRevoked = error instanceof TokenRevokedError
  if (attempt.isLast && push.isDayOld && !isRevoked) throw error
  if (isKeyReusable) await pausePush(db, shopId, push, { isOutcomeUnknown, reason })
  else await requeuePush(db, shopId, push, { isRefusal: false, reason })
  throw error
}

const unconfirmed = `The platform did not confirm this change within a day. ${compareHint}`
const unknownProduct = 'The platform does not know the product.'

/** Rethrows when the worker is stopping, without a change: the next attempt gets the same claim. */
async function send(context: PushContext): Promise<PushOutcome> {
  const { services, shopId, push, attempt } = context
  const api = services.adminApi(shopId, 'urgent')
  try {
    const outcome = classifyResponse(push, await sendPush(api, push, attempt.signal))
    if (outcome.kind === 'refused') await retryDifferently(context, outcome)
    return outcome
  } catch (error) {
    const outcome = attempt.signal.aborted ? null : classifyError(push, error)
    if (!outcome) throw error
    return outcome
  }
}

/** Removes the cause of a refusal where possible and queues the push again; fails it after too many refusals. */
async function retryDifferently(
  context: PushContext,
  refusal: Extract<PushOutcome, { kind: 'refused' }>,
): Promise<void> {
  const { services, shopId, push, attempt } = context
  const api = services.adminApi(shopId, 'urgent')
  const { cause, levels: refused } = refusal
  const unstocked = refused.length > 0 ? refused : push.request
  const objection = cause === 'not stocked' ? await activate(api, push, unstocked, attempt.signal) : ''
  const levels = cause === 'stale' ? await readLevels(context) : []
  if (push.refusals + 1 < maxRefusals) {
    return requeuePush(services.db, shopId, push, { isRefusal: true, levels })
  }
  const lines = linesAt(push, refused)
  const reason = objection || refusal.reason
  await refuse(context, { lines: lines.length > 0 ? lines : push.lines, reason, levels })
}

/** The platform applied nothing: fails the lines that it refuses, or takes a packed push apart to find them. */
async function refuse(context: PushContext, failure: Parameters<typeof failPush>[3]): Promise<void> {
  const { services, shopId, push } = context
  if (isPacked(push) && failure.lines.length === push.lines.length)
    return unpackPush(services.db, shopId, push)
  await fail(context, failure)
}

async function readLevels({ services: { db, adminApi }, shopId, push, attempt }: PushContext) {
  const reader = await openLevelReader(adminApi(shopId, 'urgent'), db, shopId, attempt.signal)
  const items = new Map(push.lines.map(({ variantId, inventoryItemGid }) => [variantId, inventoryItemGid]))
  const variants = [...items].flatMap(([id, inventoryItemGid]): StockedVariant[] =>
    inventoryItemGid === null ? [] : [{ id, inventoryItemGid }],
  )
  const levels = []
  for (let at = 0; at < variants.length; at += reader.pageSize) {
    levels.push(...(await reader.read(variants.slice(at, at + reader.pageSize))).levels)
  }
  return levels
}

async function fail(
  { services, shopId, push }: PushContext,
  failure: Parameters<typeof failPush>[3],
): Promise<void> {
  await failPush(services.db, shopId, push, failure)
  const { reason, lines } = failure
  services.log.warn({ shopId, stockPushId: push.id, lines: lines.length, reason }, 'stock change failed')
}
