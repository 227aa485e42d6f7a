import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { Id, Nullable, Timestamp } from '../../../schemas/common.ts'
import { markLateMovements } from '../demand/marks.ts'
import { levelKey } from './changes.ts'
import { type LevelKey, lockLevels } from './move.ts'
import { isOnlyReadAgain, type LevelState } from './platform/classify-update.ts'

const StoredLevel = Type.Object({
  variantId: Id,
  locationId: Id,
  quantity: Type.Integer(),
  platformQuantity: Type.Integer(),
  platformUpdatedAt: Nullable(Timestamp),
  committed: Nullable(Type.Integer()),
  unavailable: Nullable(Type.Integer()),
  statesReadAt: Nullable(Timestamp),
  answers: Type.Array(Type.Integer()),
  answeredAt: Nullable(Timestamp),
  // the columns `held_…` store the deferred update (`LevelState.deferred`)
  heldQuantity: Nullable(Type.Integer()),
  heldAt: Nullable(Timestamp),
  isSending: Type.Boolean(),
})

/** Locks levels and reads them, by `levelKey`. */
export async function lockLevelStates(
  tx: Db,
  shopId: number,
  keys: readonly LevelKey[],
): Promise<Map<string, LevelState>> {
  await lockLevels(tx, shopId, keys)
  const rows = keys.map(({ variantId, locationId }) => [variantId, locationId])
  const levels = await tx.any(sql.type(row(StoredLevel))`
    select l.variant_id, l.location_id, l.quantity, l.platform_quantity, l.platform_updated_at, l.committed,
      l.unavailable, l.states_read_at, l.answers, l.answered_at, l.held_quantity, l.held_at, exists (
        select
        from stock_push p
        join stock_push_line x on x.shop_id = ${shopId} and x.push_id = p.id
        where p.shop_id = ${shopId} and p.state = 'sending' and x.variant_id = l.variant_id
          and x.location_id = l.location_id
        offset 0
      ) as is_sending
    from ${sql.unnest(rows, ['int8', 'int8'])} as level_key (variant_id, location_id)
    join stock_level l on l.shop_id = ${shopId} and l.variant_id = level_key.variant_id
      and l.location_id = level_key.location_id
  `)
  return new Map(levels.map((level) => [levelKey(level), stateOf(level)]))
}

function stateOf({
  heldQuantity,
  heldAt,
  committed,
  unavailable,
  statesReadAt,
  ...level
}: Static<typeof StoredLevel>): LevelState {
  return {
    ...level,
    deferred: heldAt === null ? null : { available: heldQuantity, updatedAt: heldAt },
    states:
      statesReadAt === null
        ? null
        : { committed: committed ?? 0, unavailable: unavailable ?? 0, readAt: statesReadAt },
  }
}

/** One change of a level. `occurredAt` is the time of its movement, null for now. */
export type LevelStep = {
  before: LevelState
  after: LevelState
  kind: 'platform' | 'discard'
  occurredAt: string | null
}

/**
 * Writes the last state of each level, and what each step changes of its quantity and its states. Marks variants of which the demand of
 * a day has to be rolled up again.
 */
export async function writeSteps(tx: Db, shopId: number, steps: readonly LevelStep[]): Promise<void> {
  const first = new Map(steps.toReversed().map(({ before }) => [levelKey(before), before]))
  const last = [...new Map(steps.map(({ after }) => [levelKey(after), after])).values()]
  const isConfirmed = (level: LevelState) => isOnlyReadAgain(first.get(levelKey(level)) ?? level, level)
  await writeReadTimes(tx, shopId, last.filter(isConfirmed))
  await writeLevels(
    tx,
    shopId,
    last.filter((level) => !isConfirmed(level)),
  )
  await writeMovements(tx, shopId, steps)
  await writeStateChanges(tx, shopId, steps)
  const lowered = steps.flatMap(({ before, after, kind, occurredAt }) =>
    kind === 'platform' && occurredAt !== null && after.quantity < before.quantity
      ? [{ variantId: after.variantId, occurredAt }]
      : [],
  )
  await markLateMovements(tx, shopId, lowered)
}

/** Most readings of a night confirm what is stored. */
async function writeReadTimes(tx: Db, shopId: number, levels: readonly LevelState[]): Promise<void> {
  if (levels.length === 0) return
  const rows = levels.map(({ variantId, locationId, states }) => [
    variantId,
    locationId,
    states?.readAt ?? null,
  ])
  await tx.query(sql.typeAlias('void')`
    update stock_level l
    set states_read_at = after.read_at
    from ${sql.unnest(rows, ['int8', 'int8', 'timestamptz'])} as after (variant_id, location_id, read_at)
    where l.shop_id = ${shopId} and l.variant_id = after.variant_id and l.location_id = after.location_id
      and l.states_read_at is distinct from after.read_at
  `)
}

async function writeLevels(tx: Db, shopId: number, changed: readonly LevelState[]): Promise<void> {
  if (changed.length === 0) return
  const levels = changed.map((level) => [
    level.variantId,
    level.locationId,
    level.quantity,
    level.platformQuantity,
    level.platformUpdatedAt,
    `{${level.answers.join(',')}}`,
    level.answeredAt,
    level.deferred?.available ?? null,
    level.deferred?.updatedAt ?? null,
    level.states?.committed ?? null,
    level.states?.unavailable ?? null,
    level.states?.readAt ?? null,
  ])
  const types = [
    ...['int8', 'int8', 'int4', 'int4', 'timestamptz', 'text', 'timestamptz', 'int4', 'timestamptz'],
    ...['int4', 'int4', 'timestamptz'],
  ]
  await tx.query(sql.typeAlias('void')`
    update stock_level l
    set quantity = after.quantity, platform_quantity = after.platform_quantity,
      platform_updated_at = after.platform_updated_at, answers = after.answers::int[], answered_at = after.answered_at,
      held_quantity = after.held_quantity, held_at = after.held_at, committed = after.committed,
      unavailable = after.unavailable, states_read_at = after.states_read_at,
      updated_at = case when l.quantity = after.quantity then l.updated_at else ${new Date().toISOString()} end
    from ${sql.unnest(levels, types)} as after (
      variant_id, location_id, quantity, platform_quantity, platform_updated_at, answers, answered_at, held_quantity,
      held_at, committed, unavailable, states_read_at
    )
    where l.shop_id = ${shopId} and l.variant_id = after.variant_id and l.location_id = after.location_id
  `)
}

async function writeMovements(tx: Db, shopId: number, steps: readonly LevelStep[]): Promise<void> {
  const movements = steps
    .filter(({ before, after }) => before.quantity !== after.quantity)
    .map(({ before, after, kind, occurredAt }) => [
      after.variantId,
      after.locationId,
      before.quantity,
      after.quantity,
      kind,
      occurredAt,
    ])
  if (movements.length === 0) return
  await tx.query(sql.typeAlias('void')`
    insert into stock_movement (
      shop_id, variant_id, location_id, previous_quantity, new_quantity, kind, occurred_at
    )
    select ${shopId}, variant_id, location_id, previous_quantity, new_quantity, kind, coalesce(occurred_at, now())
    from ${sql.unnest(movements, ['int8', 'int8', 'int4', 'int4', 'text', 'timestamptz'])} with ordinality
      as step (variant_id, location_id, previous_quantity, new_quantity, kind, occurred_at, place)
    order by variant_id, location_id, place
  `)
}

/** Together with the movements, these changes of committed and unavailable pieces give what was on hand at any time. */
async function writeStateChanges(tx: Db, shopId: number, steps: readonly LevelStep[]): Promise<void> {
  const changes = steps.flatMap(({ before, after, occurredAt }) => {
    const delta = notAvailable(after) - notAvailable(before)
    return delta === 0 ? [] : [[after.variantId, after.locationId, delta, occurredAt]]
  })
  if (changes.length === 0) return
  await tx.query(sql.typeAlias('void')`
    insert into stock_state_change (shop_id, variant_id, location_id, delta, occurred_at)
    select ${shopId}, variant_id, location_id, delta, coalesce(occurred_at, now())
    from ${sql.unnest(changes, ['int8', 'int8', 'int4', 'timestamptz'])} with ordinality
      as step (variant_id, location_id, delta, occurred_at, place)
    order by place
  `)
}

const notAvailable = ({ states }: LevelState) => (states ? states.committed + states.unavailable : 0)
