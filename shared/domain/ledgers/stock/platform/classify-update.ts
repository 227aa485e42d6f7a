/** A level as Postgres stores it. Times are ISO instants. */
export type LevelState = {
  variantId: number
  locationId: number
  /** The sum of its movements. */
  quantity: number
  /** What the platform last reported, and when the level had changed there; null before the first report. */
  platformQuantity: number
  platformUpdatedAt: string | null
  /** The platform's last reported quantity of goods that are not available; null before the first reading. */
  states: ReadStates | null
  /** The quantities that the platform reported in its responses to our pushes at `answeredAt`. */
  answers: readonly number[]
  answeredAt: string | null
  /** The newest update that waits for the result of a push. */
  deferred: LevelUpdate | null
  /** A push of the level is `sending`. */
  isSending: boolean
}

/** Goods on the shelf that are not available. `readAt`: when the worker asked for them, by the clock of Postgres. */
export type ReadStates = { committed: number; unavailable: number; readAt: string }

/**
 * `available` is null when the platform does not track the variant; `updatedAt` is when its level last changed. Only a
 * query of ours has `states`: webhooks and responses to pushes name the available quantity alone. `goneAt`: at this instant the
 * platform did not list the level, as of a deactivated location, and `updatedAt` is the time of its last update: when the platform
 * lists it again, that has not changed.
 */
export type LevelUpdate = {
  available: number | null
  updatedAt: string
  states?: ReadStates | undefined
  goneAt?: string
}

export type Outcome = 'known' | 'stale' | 'echo' | 'deferred' | 'unclear' | 'applied'

/**
 * What a platform update means for a locked level. The first row that fits:
 *   known     a reading with an earlier time, but the quantity of the last update: only its states are taken
 *   stale     older than the level's last update, or than the deferred one; or not listed, while a push of the level is `sending`,
 *             which may be creating it: dropped
 *   echo      time and quantity of a response to our push: dropped, and removed from `answers`
 *   deferred  a push of the level is `sending` and may include it: it waits for the result (`settle.ts`)
 *   unclear   time of that response, but another quantity: not applied
 *   applied   all others
 * `isAmbiguous`: two quantities for one instant, since the platform's times are whole seconds. With `isRead` the update
 * comes from a query of ours: it is never an echo, unclear or ambiguous.
 */
export function classifyUpdate(
  level: LevelState,
  { available, updatedAt, goneAt }: LevelUpdate,
  { isRead }: { isRead: boolean },
): { outcome: Outcome; isAmbiguous: boolean } {
  const quantity = available ?? 0
  if (isBefore(updatedAt, level.platformUpdatedAt)) {
    const isKnown = isRead && !level.isSending && quantity === level.platformQuantity
    return { outcome: isKnown ? 'known' : 'stale', isAmbiguous: false }
  }
  const hasAnswerTime = !isRead && isSame(updatedAt, level.answeredAt)
  if (hasAnswerTime && level.answers.includes(quantity)) return { outcome: 'echo', isAmbiguous: false }
  if (level.isSending) {
    const isNewest = goneAt === undefined && !isBefore(updatedAt, level.deferred?.updatedAt ?? null)
    return { outcome: isNewest ? 'deferred' : 'stale', isAmbiguous: false }
  }
  const isAmbiguous =
    !isRead && isSame(updatedAt, level.platformUpdatedAt) && level.platformQuantity !== quantity
  if (hasAnswerTime) return { outcome: 'unclear', isAmbiguous }
  return { outcome: 'applied', isAmbiguous }
}

/**
 * The level after an update with this outcome. Example: quantity 12, of which +2 are pending, platform quantity 10; the
 * platform sells 3 and reports 7. Applied, the level becomes 9 with platform quantity 7.
 */
export function updatedLevel(level: LevelState, update: LevelUpdate, outcome: Outcome): LevelState {
  const platformQuantity = update.available ?? 0
  const states = newerStates(level.states, update.states ?? null)
  switch (outcome) {
    case 'known':
      return { ...level, states }
    case 'stale':
    case 'unclear':
      return level
    case 'echo':
      return { ...level, answers: level.answers.filter((answer) => answer !== platformQuantity) }
    case 'deferred':
      return { ...level, deferred: update }
    case 'applied':
      return {
        ...level,
        quantity: level.quantity + platformQuantity - level.platformQuantity,
        platformQuantity,
        platformUpdatedAt: update.updatedAt,
        states,
      }
  }
}

/**
 * When an update changed the level, for its movement. The platform shows the levels of an activated location with the times from before
 * its deactivation: a level with nothing at its last reading got its goods after that. Example: 10 pieces of 1 May are not listed
 * on 3 May, and listed again on 5 May, as of 1 May: their movements are of 3 and 5 May.
 */
export function changedAt(
  { platformQuantity, states: read }: LevelState,
  { updatedAt, states, goneAt }: LevelUpdate,
): string {
  if (goneAt !== undefined) return goneAt
  const wasEmpty = platformQuantity === 0 && read?.committed === 0 && read.unavailable === 0
  return wasEmpty && isBefore(updatedAt, read.readAt) ? (states?.readAt ?? read.readAt) : updatedAt
}

/** The states of the later reading. */
export function newerStates(stored: ReadStates | null, read: ReadStates | null): ReadStates | null {
  return read !== null && !isBefore(read.readAt, stored?.readAt ?? null) ? read : stored
}

/** Nothing but the time of the reading differs. */
export const isOnlyReadAgain = (before: LevelState, after: LevelState): boolean =>
  after.quantity === before.quantity &&
  after.platformQuantity === before.platformQuantity &&
  hasSameTime(after.platformUpdatedAt, before.platformUpdatedAt) &&
  after.answers === before.answers &&
  after.answeredAt === before.answeredAt &&
  after.deferred === before.deferred &&
  after.states?.committed === before.states?.committed &&
  after.states?.unavailable === before.states?.unavailable

const hasSameTime = (a: string | null, b: string | null) => (a === null ? b === null : isSame(a, b))

/** The result of a push for a level: `settledDelta` is not pending any more; `reported` is null without a response. */
export type Settlement = { settledDelta: number; reported: { available: number; at: string } | null }

/**
 * The level after the result of a push:
 * 1. Its platform quantity is the reported one, unless a later update is known, which includes the push.
 * 2. Its quantity is that plus the changes that are still pending.
 * 3. The reported quantity joins `answers`, so that its echo by webhook is recognised.
 * Example: quantity 12, platform quantity 10, a push of +2. The platform reports 9: it sold 3. Both become 9. When the
 * push is discarded (`settledDelta` 2, nothing reported), both become 10.
 */
export function settledLevel(level: LevelState, { settledDelta, reported }: Settlement): LevelState {
  const pending = level.quantity - level.platformQuantity - settledDelta
  if (!reported) return { ...level, quantity: level.platformQuantity + pending }
  const { available, at } = reported
  const answered = isBefore(at, level.answeredAt)
    ? {}
    : { answers: isSame(at, level.answeredAt) ? [...level.answers, available] : [available], answeredAt: at }
  if (isBefore(at, level.platformUpdatedAt)) {
    return { ...level, ...answered, quantity: level.platformQuantity + pending }
  }
  return {
    ...level,
    ...answered,
    quantity: available + pending,
    platformQuantity: available,
    platformUpdatedAt: at,
  }
}

const isBefore = (a: string, b: string | null) => b !== null && Date.parse(a) < Date.parse(b)
const isSame = (a: string, b: string | null) => b !== null && Date.parse(a) === Date.parse(b)
