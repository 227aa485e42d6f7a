import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { unprocessable } from '../../../errors.ts'
import { maxOrderLines } from '../../../schemas/purchase-orders.ts'
import type {
  ReorderDraft,
  ReorderDrafts,
  ReorderDraftsInput,
  SkippedSuggestion,
} from '../../../schemas/reorder-suggestions.ts'
import { createPurchaseOrder } from '../../documents/purchase-orders/purchase-orders.ts'
import { resolveLevelKeys } from '../../ledgers/stock/resolve.ts'
import { isComputed, readSuggestions, type Suggested } from './suggestions.ts'

/** Limit of one request. A repeated request continues with the rules that are not in a draft yet. */
const maxRules = 5_000
/** 10 less than the maximum total of an order, since these floats may differ from the total that Postgres sums. */
const maxTotal = 9_999_999_999_990
const PrimaryLocation = Type.Object({ gid: Type.String() })

/**
 * Creates draft orders from all suggestions, or from those of some variants or rules: one draft per supplier and
 * location, and further ones above 500 lines or the maximum total. Quantities, costs and supplier SKUs are those of the
 * suggestions; a line has no cost where none is known. A rule for all locations orders for the primary location. Returns
 * each skipped suggestion with its reason. The rules are locked before existing drafts are read, so of two concurrent
 * requests the second does not order again. Throws unknown_rule and the errors of `resolveLevelKeys`.
 */
export function createReorderDrafts(
  db: Db,
  shopId: number,
  actor: string,
  { variantIds, ruleIds }: NonNullable<ReorderDraftsInput>,
): Promise<ReorderDrafts> {
  return db.transaction(async (tx) => {
    const variants = variantIds && (await variantRows(tx, shopId, variantIds))
    if (ruleIds) await requireRules(tx, shopId, ruleIds)
    const locked = await lockLowRules(tx, shopId, { variants, ruleIds })
    const suggestions = await readSuggestions(tx, shopId, { ruleIds: locked.ruleIds })
    const { accepted, skipped } = selectSuggestions(suggestions, locked.supplierIds)
    const primary = await tx.maybeOneFirst(sql.type(row(PrimaryLocation))`
      select gid from location where shop_id = ${shopId} and is_primary
    `)
    const purchaseOrders: ReorderDraft[] = []
    for (const { supplierId, supplierName, locationId, locationName, suggestions } of ordersOf(
      accepted,
      primary,
    )) {
      const { id, poNumber, total, currency } = await createPurchaseOrder(tx, shopId, actor, {
        supplierId,
        destinationLocationId: locationId,
        lineItems: suggestions.map((suggestion) => ({
          productId: suggestion.productId,
          variantId: suggestion.variantId,
          quantity: suggestion.suggestedQuantity,
          costPrice: suggestion.unitCost,
          supplierSku: suggestion.supplierSku,
          packSize: suggestion.packSize,
          roundedUpBy: suggestion.roundedUpBy,
        })),
      })
      purchaseOrders.push({
        id,
        poNumber,
        supplierId,
        supplierName,
        destinationLocationName: locationName,
        total,
        lineItemCount: suggestions.length,
        currency,
        unknownCosts: suggestions.filter(({ unitCost }) => unitCost === null).length,
      })
    }
    return { purchaseOrders, skipped }
  })
}

async function variantRows(tx: Db, shopId: number, variantIds: readonly string[]): Promise<number[]> {
  const variants = variantIds.map((id, at) => ({ id, path: `/variantIds/${at}` }))
  return (await resolveLevelKeys(tx, shopId, { variants })).variants
}

/** Only missing rules are an error; a rule whose stock has recovered is just not suggested. */
async function requireRules(tx: Db, shopId: number, ruleIds: readonly number[]): Promise<void> {
  const ids = await tx.anyFirst(sql.typeAlias('id')`
    select id from reorder_rule where shop_id = ${shopId} and id = any(${sql.array([...ruleIds], 'int8')})
  `)
  const known = new Set(ids)
  const details = ruleIds.flatMap((id, at) =>
    known.has(id) ? [] : [{ path: `/ruleIds/${at}`, message: 'is not a reorder rule of this shop' }],
  )
  if (details.length === 0) return
  const message = 'A reorder rule in this request no longer exists. Reload the suggestions.'
  throw unprocessable('unknown_rule', message, details)
}

/**
 * Suppliers first, as when one is deleted: those of the rules, and those with products, of which one may be preferred
 * for a rule without a supplier of its own. Rules that can be ordered first: skipped ones never fill the limit.
 */
async function lockLowRules(
  tx: Db,
  shopId: number,
  { variants, ruleIds }: { variants: readonly number[] | undefined; ruleIds: readonly number[] | undefined },
): Promise<{ ruleIds: readonly number[]; supplierIds: ReadonlySet<number> }> {
  const isLow = sql.and([
    sql.fragment`r.is_low`,
    variants !== undefined && sql.fragment`r.variant_id = any(${sql.array([...variants], 'int8')})`,
    ruleIds !== undefined && sql.fragment`r.id = any(${sql.array([...ruleIds], 'int8')})`,
  ])
  const supplierIds = await tx.anyFirst(sql.typeAlias('id')`
    select s.id
    from supplier s
    where s.shop_id = ${shopId} and s.archived_at is null and s.id = any(array(
      -- read once: with "exists", Postgres reads all products or rules of the shop for each supplier
      select r.supplier_id from reorder_rule r where r.shop_id = ${shopId} and ${isLow}
      union
      select x.supplier_id from supplier_product x where x.shop_id = ${shopId} and x.is_active
    ))
    order by s.id
    for share of s
  `)
  const lockedRuleIds = await tx.anyFirst(sql.typeAlias('id')`
    with incoming as (
      select l.variant_id, o.destination_location_id as location_id, o.status = 'draft' as is_draft,
        greatest(l.quantity - l.accepted - l.cancelled, 0) as pieces
      from purchase_order o
      join purchase_order_line l on l.shop_id = ${shopId} and l.purchase_order_id = o.id
      where o.shop_id = ${shopId} and o.status in ('draft', 'sent', 'partial')
      union all
      select i.variant_id, t.destination_location_id, false, i.in_transit
      from stock_transfer t
      join stock_transfer_item i on i.shop_id = ${shopId} and i.transfer_id = t.id
      where t.shop_id = ${shopId} and t.status in ('in_transit', 'partial') and i.in_transit > 0
    ),
    -- a union instead of a join: if Postgres underestimates the rows of either side, a join takes minutes
    combined as (
      select r.id, r.variant_id, r.location_id, r.reorder_point - r.current_stock as shortage, false as is_draft,
        0 as pieces, coalesce(w.is_active, true) and case
          when r.supplier_id is null then exists (
            select
            from supplier_product x
            where x.shop_id = ${shopId} and x.variant_id = r.variant_id and x.is_active
              and x.supplier_id = any(${sql.array([...supplierIds], 'int8')})
          )
          else true
        end as is_complete
      from reorder_rule r
      join variant v on v.shop_id = ${shopId} and v.id = r.variant_id
      left join location w on w.shop_id = ${shopId} and w.id = r.location_id
      where r.shop_id = ${shopId} and ${isLow} and ${isComputed('r')} and v.is_tracked and v.deleted_at is null
      union all
      select null, variant_id, coalesce(location_id, (
        select id from location where shop_id = ${shopId} and is_primary
      )), null, is_draft, case when is_draft then 0 else pieces end, null
      from incoming
    ),
    totalled as (
      select id, is_complete, shortage, location_id,
        sum(pieces) over by_variant as pieces, bool_or(is_draft) over by_variant as is_drafted,
        sum(pieces) over by_level as level_pieces, bool_or(is_draft) over by_level as is_level_drafted
      from combined
      window by_variant as (partition by variant_id), by_level as (partition by variant_id, location_id)
    ),
    first as materialized (
      select id
      from totalled
      where id is not null
      order by is_complete and case
        when location_id is null then pieces <= shortage and not is_drafted
        else level_pieces <= shortage and not is_level_drafted
      end desc, id
      limit ${maxRules}
    )
    select r.id
    from reorder_rule r
    where r.shop_id = ${shopId} and r.id in (select id from first)
    order by r.id
    for no key update
  `)
  return { ruleIds: lockedRuleIds, supplierIds: new Set(supplierIds) }
}

type Accepted = Suggested & { supplierId: number; supplierName: string }

/** Rules of one location come first: their orders count as incoming stock for a rule of all locations, too. */
function selectSuggestions(
  suggestions: readonly Suggested[],
  lockedSupplierIds: ReadonlySet<number>,
): { accepted: Accepted[]; skipped: SkippedSuggestion[] } {
  const skipped: SkippedSuggestion[] = []
  const accepted: Accepted[] = []
  const ordered = new Set<string>()
  const [ofAll = [], ofOne = []] = [true, false].map((isOfAll) =>
    suggestions.filter(({ locationId }) => (locationId === null) === isOfAll),
  )
  for (const suggestion of [...ofOne, ...ofAll]) {
    const { variantId, title, locationId, supplierId, supplierName } = suggestion
    const isOrdered = locationId === null && ordered.has(variantId)
    const isLocked = supplierId === null || lockedSupplierIds.has(supplierId)
    const reason = isOrdered
      ? 'It was just ordered for one of its locations.'
      : (skipReason(suggestion) ?? (isLocked ? undefined : otherSupplier))
    if (reason !== undefined || supplierId === null || supplierName === null) {
      skipped.push({ variantId, title, reason: reason ?? noSupplier })
    } else {
      ordered.add(variantId)
      accepted.push({ ...suggestion, supplierId, supplierName })
    }
  }
  return { accepted, skipped }
}

const noSupplier = 'Its reorder rule has no supplier. Choose one.'
const otherSupplier = 'Its supplier was just changed by another user. Try again.'
const tooExpensive =
  'It would exceed the maximum total of an order, 10 000 000 000 000. Check its cost and the quantity of its reorder rule.'

function skipReason(suggestion: Suggested): string | undefined {
  if (suggestion.suggestedQuantity === 0) return 'The stock on order or in transit is enough.'
  if (suggestion.drafts.length > 0)
    return `It is in draft ${suggestion.drafts.map(({ poNumber }) => poNumber).join(', ')} already.`
  if (!suggestion.isLocationInUse) return 'The location of its reorder rule is no longer in use.'
  if (suggestion.supplierId === null) return noSupplier
  return costOf(suggestion) > maxTotal ? tooExpensive : undefined
}

const costOf = ({ suggestedQuantity, unitCost }: Suggested) => suggestedQuantity * (unitCost ?? 0)

type Order = Pick<Accepted, 'supplierId' | 'supplierName' | 'locationId' | 'locationName'> & {
  suggestions: Accepted[]
}

/**
 * Orders by supplier id, which is the lock order of suppliers; lines by rule id. Rules for all locations and rules for the
 * `primary` location share an order, because both arrive there; it names the location if one of the rules does.
 */
function ordersOf(accepted: readonly Accepted[], primary: string | null): Order[] {
  const byId = accepted.toSorted((a, b) => a.supplierId - b.supplierId || a.ruleId - b.ruleId)
  const groups = Map.groupBy(byId, ({ supplierId, locationId }) => `${supplierId} ${locationId ?? primary}`)
  return [...groups.values()].flatMap((group) => {
    const orders: Order[] = []
    let total = 0
    for (const suggestion of group) {
      const lineTotal = costOf(suggestion)
      const last = orders.at(-1)
      if (last && last.suggestions.length < maxOrderLines && total + lineTotal <= maxTotal) {
        last.suggestions.push(suggestion)
        total += lineTotal
      } else {
        orders.push({ ...suggestion, ...placeOf(group), suggestions: [suggestion] })
        total = lineTotal
      }
    }
    return orders
  })
}

/** Null for the primary location, unless a rule names it. */
function placeOf(group: readonly Accepted[]): Pick<Order, 'locationId' | 'locationName'> {
  const named = group.find(({ locationId }) => locationId !== null)
  return { locationId: named?.locationId ?? null, locationName: named?.locationName ?? null }
}
