import {
  type ClaimedPush,
  type PushedLevel,
  type PushLine,
  targetOf,
} from '../../shared/domain/stock-pushes/claim.ts'
import type { PushAnswer } from '../../shared/domain/stock-pushes/finish.ts'
import { PlatformError, TokenRevokedError } from '../../shared/platform/errors.ts'
import type { QuantityChange, QuantityError } from './inventory-documents.ts'

/** What the platform's answer to a change of stock means. Reasons are for merchants. */
export type Verdict =
  | { kind: 'taken'; answer: PushAnswer }
  | Never
  /** It has not taken it, because of these of its levels; asked in other words, it may. */
  | { kind: 'refused'; why: 'stale' | 'not stocked' | 'key'; levels: readonly PushedLevel[]; reason: string }
  | Later
/** It will never take these lines. */
type Never = { kind: 'never'; lines: readonly PushLine[]; reason: string }
/** Asked later, it may take it: with the same key unless that is used up. */
type Later = { kind: 'later'; isUnderWay: boolean; isKeyGood: boolean; reason: string; error: Error }

const codes = {
  stale: 'CHANGE_FROM_QUANTITY_STALE',
  notStocked: 'ITEM_NOT_STOCKED_AT_LOCATION',
  concurrent: 'IDEMPOTENCY_CONCURRENT_REQUEST',
  usedUp: 'IDEMPOTENCY_PREVIOUS_ATTEMPT_FAILED',
  mismatch: 'IDEMPOTENCY_KEY_PARAMETER_MISMATCH',
  trouble: ['SERVICE_UNAVAILABLE', 'ADJUST_QUANTITIES_FAILED', 'INTERNAL_ERROR', 'INTERNAL_SERVER_ERROR'],
}

/** Of several errors, what concerns the whole request comes before what concerns a line of it. */
export function classifyResponse(push: ClaimedPush, change: QuantityChange): Verdict {
  const { userErrors: errors, inventoryAdjustmentGroup: group } = change
  const has = (code: string) => errors.some((error) => error.code === code)
  const levelsOf = (code: string) => errors.filter((error) => error.code === code).flatMap(levelsAt(push))

  if (errors.length === 0 && group) return { kind: 'taken', answer: readAnswer(group) }
  if (has(codes.concurrent)) return later('throttled', words.busy, { isUnderWay: true, isKeyGood: true })
  if (has(codes.usedUp)) return { kind: 'refused', why: 'key', levels: [], reason: words.busy }
  if (errors.length === 0) return never(push, words.rejected)
  if (has(codes.mismatch)) return never(push, words.ours)
  if (errors.some(({ code }) => code !== null && codes.trouble.includes(code)))
    return later('unavailable', words.trouble, { isUnderWay: false, isKeyGood: false })

  const others = errors.filter(({ code }) => code !== codes.stale && code !== codes.notStocked)
  if (others.length > 0) {
    const isOfLines = others.every((error) => levelsAt(push)(error).length > 0)
    return never(push, messagesOf(others), isOfLines ? others.flatMap(levelsAt(push)) : push.request)
  }
  return has(codes.notStocked)
    ? { kind: 'refused', why: 'not stocked', levels: levelsOf(codes.notStocked), reason: words.notStocked }
    : { kind: 'refused', why: 'stale', levels: levelsOf(codes.stale), reason: words.stale }
}

/** What it means that there was no answer. Null for what is no matter of the platform's. */
export function classifyError(push: ClaimedPush, error: unknown): Never | Later | null {
  if (error instanceof TokenRevokedError)
    return { kind: 'later', isUnderWay: false, isKeyGood: true, reason: error.message, error }
  if (!(error instanceof PlatformError)) return null
  const { kind, message } = error
  if (kind === 'rejected') return never(push, words.rejected)
  const isUnderWay = kind === 'unavailable' || kind === 'throttled'
  const reasons = { unavailable: words.trouble, throttled: words.busy, access_denied: words.denied }
  const reason = reasons[kind as keyof typeof reasons] ?? message
  return { kind: 'later', isUnderWay, isKeyGood: true, reason, error }
}

/** The lines behind these of the platform's levels. */
export function linesBehind({ lines }: ClaimedPush, levels: readonly PushedLevel[]): PushLine[] {
  const targets = new Set(levels.map(({ inventoryItemId, locationId }) => `${inventoryItemId} ${locationId}`))
  return lines.filter((line) => targets.has(targetOf(line)))
}

/** For where nobody knows what the platform has done. */
export const compare = 'Compare the number there before you try it again.'

const words = {
  busy: 'The platform is busy.',
  trouble: 'The platform cannot be reached, or has trouble of its own.',
  denied: 'The app is not allowed to change the stock of this shop.',
  ours: 'Something went wrong on our side.',
  rejected: `The platform did not understand the request, or we did not understand its answer. ${compare}`,
  notStocked: 'The product is not stocked there.',
  stale: 'The number there kept changing while it was told.',
}

function never(push: ClaimedPush, reason: string, levels = push.request): Never {
  const isWhole = levels === push.request
  return { kind: 'never', lines: isWhole ? push.lines : linesBehind(push, levels), reason }
}

const later = (
  kind: PlatformError['kind'],
  reason: string,
  how: Pick<Later, 'isUnderWay' | 'isKeyGood'>,
): Later => ({ kind: 'later', ...how, reason, error: new PlatformError(kind, reason) })

/** The platform says where in the request an error is, as in `input`, `changes`, `0`, `locationId`. */
const levelsAt =
  ({ request }: ClaimedPush) =>
  ({ field }: QuantityError): PushedLevel[] => {
    const index = field?.find((part) => /^\d+$/.test(part))
    const level = index === undefined ? undefined : request[Number(index)]
    return level ? [level] : []
  }

const messagesOf = (errors: readonly QuantityError[]) =>
  [...new Set(errors.map(({ message }) => message.replaceAll('\u0000', '')))].join(' ').slice(0, 500)

function readAnswer({
  createdAt,
  changes,
}: NonNullable<QuantityChange['inventoryAdjustmentGroup']>): PushAnswer {
  const ofAvailable = changes.filter(({ name }) => name === 'available')
  return {
    at: createdAt,
    quantities: new Map(
      ofAvailable.map(({ item, location, quantityAfterChange }) => [
        `${item?.id} ${location?.id}`,
        quantityAfterChange,
      ]),
    ),
  }
}
