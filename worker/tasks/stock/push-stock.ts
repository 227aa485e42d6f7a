import type { Static } from '@sinclair/typebox'
import { resumePushes } from '../../../shared/domain/stock/push.ts'
import type { StockedVariant } from '../../../shared/domain/stock/stocked-variants.ts'
import { type ClaimedPush, claimPush, hasWaitingPushes } from '../../../shared/domain/stock-pushes/claim.ts'
import { failPush, pausePush, requeuePush, settlePush } from '../../../shared/domain/stock-pushes/finish.ts'
import { TokenRevokedError } from '../../../shared/platform/errors.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import {
  classifyError,
  classifyResponse,
  compare,
  linesBehind,
  type Verdict,
} from '../../platform/classify-response.ts'
import { activate, sendPush } from '../../platform/push-request.ts'
import { type Attempt, defineTask, type Services } from '../../queue/task.ts'
import { startTimeBudget } from '../../queue/time-budget.ts'
import { openLevelReader } from '../../sync/read-levels.ts'

const onOurSide = 'Something went wrong on our side.'
/** A change is told, and told again up to five times, before a person decides. */
const maxRefusals = 6

/**
 * Tells the platform of the shop's own changes of stock, one after the other, until none is left
 * (`shared/domain/stock/push.ts`). Each is taken once, however often this runs and wherever it dies. After a while
 * it gives way to other jobs and enqueues what is left.
 */
export const pushStock = defineTask(jobs.pushStock, pushAll, giveUpClaimed)

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
    throw new Error('A change of stock waits for a product that the platform has not confirmed yet')
  }
}

/** The change that it was at is left to a person, and a job of its own goes on with the others. */
async function giveUpClaimed(services: Services, { shopId }: ShopOnly, { jobId }: { jobId: string }) {
  const { db } = services
  // its own claim comes back to it
  const push = await claimPush(db, shopId, jobId)
  if (push) await failPush(db, shopId, push, { lines: push.lines, reason: `${onOurSide} ${compare}` })
  await resumePushes(db, shopId)
  return false
}

type ShopOnly = Static<typeof jobs.pushStock.payload>

type Telling = { services: Services; shopId: number; push: ClaimedPush; attempt: Attempt }

/**
 * Throws when the rest has to wait, too. Nobody tries again after a job's last attempt: then a person decides about a
 * change that is a day old, and a job of its own goes on with a younger one.
 */
async function pushOrFail(telling: Telling): Promise<void> {
  const { services, shopId, push, attempt } = telling
  try {
    await tell(telling)
  } catch (error) {
    if (attempt.isLast && !attempt.signal.aborted && !(error instanceof TokenRevokedError)) {
      const reason = classifyError(push, error)?.reason ?? onOurSide
      if (push.isAged) await fail(telling, { lines: push.lines, reason: `${reason} ${compare}` })
      await resumePushes(services.db, shopId)
    }
    throw error
  }
}

async function tell(telling: Telling): Promise<void> {
  const { services, shopId, push, attempt } = telling
  const { db } = services
  const unknown = push.lines.filter(({ inventoryItemGid }) => inventoryItemGid === null)
  if (push.isTooOld) return fail(telling, { lines: push.lines, reason: tooOld })
  if (unknown.length > 0) return fail(telling, { lines: unknown, reason: notThere })
  if (push.request.length === 0) return settlePush(db, shopId, push, null)

  const verdict = await ask(telling)
  if (verdict.kind === 'taken') return settlePush(db, shopId, push, verdict.answer)
  if (verdict.kind === 'never') return fail(telling, verdict)
  if (verdict.kind === 'refused') return
  const { isUnderWay, isKeyGood, reason, error } = verdict
  const isRevoked = error instanceof TokenRevokedError
  if (attempt.isLast && push.isAged && !isRevoked) throw error
  if (isKeyGood) await pausePush(db, shopId, push, { isUnderWay, reason })
  else await requeuePush(db, shopId, push, { isRefusal: false, reason })
  throw error
}

const tooOld = `Nobody knows whether it was taken: there was no answer for a day. ${compare}`
const notThere = 'The platform does not know the product.'

/** A stop is not the platform's: the next attempt finds its claim as it is. */
async function ask(telling: Telling): Promise<Verdict> {
  const { services, shopId, push, attempt } = telling
  const api = services.adminApi(shopId)
  try {
    const verdict = classifyResponse(push, await sendPush(api, push, attempt.signal))
    if (verdict.kind === 'refused') await retryDifferently(telling, verdict)
    return verdict
  } catch (error) {
    const verdict = attempt.signal.aborted ? null : classifyError(push, error)
    if (!verdict) throw error
    return verdict
  }
}

/** Takes away why the platform has refused it, and queues it again; or gives it up. */
async function retryDifferently(
  telling: Telling,
  refusal: Extract<Verdict, { kind: 'refused' }>,
): Promise<void> {
  const { services, shopId, push, attempt } = telling
  const api = services.adminApi(shopId)
  const { why, levels: refused } = refusal
  const unstocked = refused.length > 0 ? refused : push.request
  const objection = why === 'not stocked' ? await activate(api, push, unstocked, attempt.signal) : ''
  const levels = why === 'stale' ? await readLevels(telling) : []
  if (push.refusals + 1 < maxRefusals) {
    return requeuePush(services.db, shopId, push, { isRefusal: true, levels })
  }
  const lines = linesBehind(push, refused)
  const reason = objection || refusal.reason
  await fail(telling, { lines: lines.length > 0 ? lines : push.lines, reason, levels })
}

async function readLevels({ services: { db, adminApi }, shopId, push, attempt }: Telling) {
  const reader = await openLevelReader(adminApi(shopId), db, shopId, attempt.signal)
  const items = new Map(push.lines.map(({ variantId, inventoryItemGid }) => [variantId, inventoryItemGid]))
  const variants = [...items].flatMap(([id, inventoryItemGid]): StockedVariant[] =>
    inventoryItemGid === null ? [] : [{ id, inventoryItemGid }],
  )
  const levels = []
  for (let at = 0; at < variants.length; at += reader.pageSize) {
    levels.push(...(await reader.read(variants.slice(at, at + reader.pageSize))))
  }
  return levels
}

async function fail(
  { services, shopId, push }: Telling,
  failure: Parameters<typeof failPush>[3],
): Promise<void> {
  await failPush(services.db, shopId, push, failure)
  const { reason, lines } = failure
  services.log.warn({ shopId, stockPushId: push.id, lines: lines.length, reason }, 'stock change failed')
}
