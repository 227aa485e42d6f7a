import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { Id, Nullable } from '../../../schemas/common.ts'

const DemandEvent = Type.Object({
  kind: Type.Union([Type.Literal('event'), Type.Literal('growth')]),
  scope: Type.Union([
    Type.Literal('shop'),
    Type.Literal('product_type'),
    Type.Literal('vendor'),
    Type.Literal('variant'),
  ]),
  scopeValue: Type.String(),
  variantId: Nullable(Id),
  /** Days since 5 January 1970. */
  fromDay: Type.Integer(),
  toDay: Nullable(Type.Integer()),
  factor: Type.Number(),
})
/** The part of a demand event that a forecast needs. */
export type DemandEvent = Static<typeof DemandEvent>

export function readEvents(db: Db, shopId: number): Promise<readonly DemandEvent[]> {
  return db.any(sql.type(row(DemandEvent))`
    select kind, scope, scope_value, variant_id, starts_on - date '1970-01-05' as from_day,
      ends_on - date '1970-01-05' as to_day, factor
    from demand_event
    where shop_id = ${shopId}
    order by id
  `)
}

type Subject = { variantId: number; productType: string; vendor: string }

export function eventsOf(events: readonly DemandEvent[], subject: Subject): readonly DemandEvent[] {
  return events.filter(({ scope, scopeValue, variantId }) => {
    if (scope === 'variant') return variantId === subject.variantId
    if (scope === 'product_type') return scopeValue === subject.productType
    return scope === 'shop' || scopeValue === subject.vendor
  })
}

/** The factor of events on the demand of a week, by its number. */
export const eventFactor = (events: readonly DemandEvent[], week: number): number =>
  eventFactorFrom(events, week * 7)

/**
 * The factor of events on the demand of the seven days from `firstDay`: the mean of the factors of the days. Events of one day multiply.
 *
 * Example: factor 2 on 3 of 7 days, 1.5 on 2 of these and on 1 other day: (1 · 2 + 2 · 3 + 1 · 1.5 + 3 · 1) / 7 = 1.79.
 */
export function eventFactorFrom(events: readonly DemandEvent[], firstDay: number): number {
  const own = events.filter(
    ({ fromDay, toDay }) => fromDay < firstDay + 7 && (toDay === null || toDay >= firstDay),
  )
  if (own.length === 0) return 1
  let sum = 0
  for (let day = firstDay; day < firstDay + 7; day += 1) {
    let product = 1
    for (const { fromDay, toDay, factor } of own) {
      if (day >= fromDay && (toDay === null || day <= toDay)) product *= factor
    }
    sum += product
  }
  return sum / 7
}

/**
 * Until the transaction ends, no event can be stored or changed; several computations may have this lock at once. So the forecasts of a
 * computation are stored when an event changes, and the change marks them as stale.
 */
export async function lockEventsForReading(tx: Db, shopId: number): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    select from pg_advisory_xact_lock_shared(hashtextextended('demand_event', ${shopId}::bigint))
  `)
}

/** Waits for the transactions that read events (`lockEventsForReading`); until this one ends, others wait for it. */
export async function lockEventsForChange(tx: Db, shopId: number): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    select from pg_advisory_xact_lock(hashtextextended('demand_event', ${shopId}::bigint))
  `)
}
