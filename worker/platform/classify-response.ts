import {
  type ClaimedPush,
  type PushedLevel,
  type PushLine,
  platformLevelKey,
} from '../../shared/domain/ledgers/stock-pushes/claim.ts'
import type { PushAnswer } from '../../shared/domain/ledgers/stock-pushes/finish.ts'
import { PlatformError, TokenRevokedError } from '../../shared/platform/errors.ts'
import type { QuantityChange, QuantityError } from './inventory-documents.ts'

/**
 * What the platform's response to a push means. `reason` is shown to merchants.
 *
 *   accepted    the platform applied the whole change
 *   rejected    it will never apply these lines
 *   refused     it applied nothing, because of `cause` at these levels; a changed request may succeed
 *   retryLater  a later request may succeed: the same request with the same key while `isKeyReusable`, else with a new key
 */
export type PushOutcome =
  | { kind: 'accepted'; answer: PushAnswer }
  | Rejected
  | {
      kind: 'refused'
      cause: 'stale' | 'not stocked' | 'key'
      levels: readonly PushedLevel[]
      reason: string
    }
  | RetryLater
/** `isUnapplied`: the platform answered with errors that say that it applied nothing. */
type Rejected = { kind: 'rejected'; lines: readonly PushLine[]; reason: string; isUnapplied: boolean }
type RetryLater = {
  kind: 'retryLater'
  isOutcomeUnknown: boolean
  isKeyReusable: boolean
  reason: string
  error: Error
}

const codes = {
  stale: 'CHANGE_FROM_QUANTITY_STALE',
  notStocked: 'ITEM_NOT_STOCKED_AT_LOCATION',
  concurrent: 'IDEMPOTENCY_CONCURRENT_REQUEST',
  usedUp: 'IDEMPOTENCY_PREVIOUS_ATTEMPT_FAILED',
  mismatch: 'IDEMPOTENCY_KEY_PARAMETER_MISMATCH',
  unavailable: ['SERVICE_UNAVAILABLE', 'ADJUST_QUANTITIES_FAILED', 'INTERNAL_ERROR', 'INTERNAL_SERVER_ERROR'],
}

/** Errors of the whole request are handled before errors of single lines. */
export function classifyResponse(push: ClaimedPush, change: QuantityChange): PushOutcome {
  const { userErrors: errors, inventoryAdjustmentGroup: group } = change
  const has = (code: string) => errors.some((error) => error.code === code)
  const levelsOf = (code: string) => errors.filter((error) => error.code === code).flatMap(levelsIn(push))

  if (errors.length === 0 && group) return { kind: 'accepted', answer: readAnswer(group) }
  if (has(codes.concurrent))
    return retryLater('throttled', reasons.busy, { isOutcomeUnknown: true, isKeyReusable: true })
  if (has(codes.usedUp)) return { kind: 'refused', cause: 'key', levels: [], reason: reasons.busy }
  if (errors.length === 0) return rejected(push, reasons.rejected)
  if (has(codes.mismatch)) return rejected(push, reasons.ours)
  if (errors.some(({ code }) => code !== null && codes.unavailable.includes(code)))
    return retryLater('unavailable', reasons.unavailable, { isOutcomeUnknown: false, isKeyReusable: false })

  const others = errors.filter(({ code }) => code !== codes.stale && code !== codes.notStocked)
  if (others.length > 0) {
    const areLineErrors = others.every((error) => levelsIn(push)(error).length > 0)
    return {
      ...rejected(push, messagesOf(others), areLineErrors ? others.flatMap(levelsIn(push)) : push.request),
      isUnapplied: !group,
    }
  }
  return has(codes.notStocked)
    ? {
        kind: 'refused',
        cause: 'not stocked',
        levels: levelsOf(codes.notStocked),
        reason: reasons.notStocked,
      }
    : { kind: 'refused', cause: 'stale', levels: levelsOf(codes.stale), reason: reasons.stale }
}

/** What a request without a usable response means. Returns null for errors that do not come from the platform. */
export function classifyError(push: ClaimedPush, error: unknown): Rejected | RetryLater | null {
  if (error instanceof TokenRevokedError)
    return { kind: 'retryLater', isOutcomeUnknown: false, isKeyReusable: true, reason: error.message, error }
  if (!(error instanceof PlatformError)) return null
  const { kind, message, isUnapplied } = error
  if (kind === 'rejected')
    return { ...rejected(push, isUnapplied ? reasons.notExecuted : reasons.rejected), isUnapplied }
  const isOutcomeUnknown = kind === 'unavailable' || kind === 'throttled'
  const reasonOf = {
    unavailable: reasons.unavailable,
    throttled: reasons.busy,
    access_denied: reasons.denied,
  }
  const reason = reasonOf[kind as keyof typeof reasonOf] ?? message
  return { kind: 'retryLater', isOutcomeUnknown, isKeyReusable: true, reason, error }
}

export function linesAt({ lines }: ClaimedPush, levels: readonly PushedLevel[]): PushLine[] {
  const keys = new Set(levels.map(({ inventoryItemId, locationId }) => `${inventoryItemId} ${locationId}`))
  return lines.filter((line) => keys.has(platformLevelKey(line)))
}

/** Added to a reason when the platform may have applied the change. */
export const compareHint = 'Compare the stock level on the platform before you retry.'

const reasons = {
  busy: 'The platform is busy.',
  unavailable: 'The platform cannot be reached or has an outage.',
  denied: 'The app is not allowed to change the stock of this shop.',
  ours: 'Something went wrong on our side.',
  notExecuted: 'The platform rejected the request.',
  rejected: `The platform rejected the request or sent an invalid response. ${compareHint}`,
  notStocked: 'The product is not stocked at this location.',
  stale: 'The stock level on the platform kept changing during the update.',
}

function rejected(push: ClaimedPush, reason: string, levels = push.request): Rejected {
  const isWhole = levels === push.request
  return {
    kind: 'rejected',
    lines: isWhole ? push.lines : linesAt(push, levels),
    reason,
    isUnapplied: false,
  }
}

const retryLater = (
  kind: PlatformError['kind'],
  reason: string,
  options: Pick<RetryLater, 'isOutcomeUnknown' | 'isKeyReusable'>,
): RetryLater => ({ kind: 'retryLater', ...options, reason, error: new PlatformError(kind, reason) })

/** `field` is the path to the error in the request: `input`, `changes`, `0`, `locationId`. */
const levelsIn =
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
