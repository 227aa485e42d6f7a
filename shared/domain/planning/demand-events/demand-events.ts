import { type Db, row, sql } from '../../../db/db.ts'
import { conflict, notFound } from '../../../errors.ts'
import {
  type DemandEventFilter,
  type DemandEventInput,
  type DemandEventPatch,
  DemandEventRecord,
} from '../../../schemas/demand-events.ts'
import { type Page, pageSize, toPage } from '../../kit/pages/pages.ts'
import { variantTitle } from '../../records/catalogue/variants.ts'
import { recomputeAffected } from './affected.ts'
import { checkEvent, resolveScope } from './check.ts'

const events = (shopId: number) => sql.fragment`
  select e.id, e.name, e.kind, e.scope, nullif(e.scope_value, '') as scope_value, v.gid as variant_id,
    ${variantTitle('v', 'p')} as variant_title, e.starts_on::text as starts_on, e.ends_on::text as ends_on,
    case e.kind when 'event' then e.factor end as factor,
    case e.kind when 'growth' then round((e.factor - 1) * 100, 2) end as growth_percent,
    e.version, e.created_by, e.created_at, e.updated_at
  from demand_event e
  left join variant v on v.shop_id = ${shopId} and v.id = e.variant_id
  left join product p on p.shop_id = ${shopId} and p.id = v.product_id
  where e.shop_id = ${shopId}
`

/** The shop's events and growth, newest first. */
export async function listDemandEvents(
  db: Db,
  shopId: number,
  filter: DemandEventFilter,
): Promise<Page<DemandEventRecord>> {
  const records = await db.any(sql.type(row(DemandEventRecord))`
    ${events(shopId)}
    ${filter.cursor === undefined ? sql.fragment`` : sql.fragment`and e.id < ${filter.cursor}`}
    order by e.id desc
    limit ${pageSize(filter) + 1}
  `)
  return toPage(records, filter)
}

/** Throws not_found. */
export async function getDemandEvent(db: Db, shopId: number, id: number): Promise<DemandEventRecord> {
  const event = await db.maybeOne(sql.type(row(DemandEventRecord))`
    ${events(shopId)}
    and e.id = ${id}
  `)
  if (!event) throw notFound('Event')
  return event
}

/** The worker computes the affected forecasts again. Throws invalid_request, unknown_product. */
export function createDemandEvent(
  db: Db,
  shopId: number,
  actor: string,
  input: DemandEventInput,
): Promise<DemandEventRecord> {
  return db.transaction(async (tx) => {
    const event = await checkEvent(tx, shopId, input)
    const at = new Date().toISOString()
    const { id } = await tx.one(sql.typeAlias('id')`
      insert into demand_event (
        shop_id, name, kind, scope, scope_value, variant_id, starts_on, ends_on, factor, created_by, created_at, updated_at
      )
      values (
        ${shopId}, ${event.name}, ${event.kind}, ${event.scope}, ${event.scopeValue}, ${event.variantRowId},
        ${event.startsOn}::date, ${event.endsOn}::date, ${event.factor}, ${actor}, ${at}::timestamptz, ${at}::timestamptz
      )
      returning id
    `)
    const created = await getDemandEvent(tx, shopId, id)
    await recomputeAffected(tx, shopId, [event])
    return created
  })
}

/**
 * Changes the given fields. The worker computes the forecasts of its old and its new products again. Throws not_found,
 * stale_version, invalid_request, unknown_product.
 */
export function updateDemandEvent(
  db: Db,
  shopId: number,
  id: number,
  { version, ...patch }: DemandEventPatch,
): Promise<DemandEventRecord> {
  return db.transaction(async (tx) => {
    await tx.query(sql.typeAlias('void')`
      select from demand_event where shop_id = ${shopId} and id = ${id} for no key update
    `)
    const before = await getDemandEvent(tx, shopId, id)
    if (version !== undefined && version !== before.version) {
      throw conflict('Another user has changed this event. Reload it and try again.', 'stale_version')
    }
    const merged = mergeEvent(before, patch)
    if (inputFields.every((field) => merged[field] === before[field])) return before
    const event = await checkEvent(tx, shopId, merged)
    const old = await resolveScope(tx, shopId, before)
    await tx.query(sql.typeAlias('void')`
      update demand_event
      set name = ${event.name}, kind = ${event.kind}, scope = ${event.scope}, scope_value = ${event.scopeValue},
        variant_id = ${event.variantRowId}, starts_on = ${event.startsOn}::date, ends_on = ${event.endsOn}::date,
        factor = ${event.factor}, updated_at = ${new Date().toISOString()}::timestamptz, version = version + 1
      where shop_id = ${shopId} and id = ${id}
    `)
    const updated = await getDemandEvent(tx, shopId, id)
    await recomputeAffected(tx, shopId, [old, event])
    return updated
  })
}

/** Throws not_found. */
export function deleteDemandEvent(db: Db, shopId: number, id: number): Promise<{ message: string }> {
  return db.transaction(async (tx) => {
    await tx.query(sql.typeAlias('void')`
      select from demand_event where shop_id = ${shopId} and id = ${id} for update
    `)
    const before = await getDemandEvent(tx, shopId, id)
    const scope = await resolveScope(tx, shopId, before)
    await tx.query(sql.typeAlias('void')`
      delete from demand_event where shop_id = ${shopId} and id = ${id}
    `)
    await recomputeAffected(tx, shopId, [scope])
    return { message: 'Event deleted. The forecasts are computed without it.' }
  })
}

const inputFields = [
  'name',
  'kind',
  'scope',
  'scopeValue',
  'variantId',
  'startsOn',
  'endsOn',
  'factor',
  'growthPercent',
] as const

/** The stored fields with those of the patch. Another scope or kind drops what only the stored one needs. */
function mergeEvent(before: DemandEventRecord, patch: Omit<DemandEventPatch, 'version'>) {
  const isMoved = patch.scope !== undefined && patch.scope !== before.scope
  const isOtherKind = patch.kind !== undefined && patch.kind !== before.kind
  return {
    ...before,
    ...(isMoved && { scopeValue: null, variantId: null }),
    ...(isOtherKind && { factor: null, growthPercent: null }),
    ...patch,
  }
}
