import { type Db, sql } from '../../db/db.ts'
import { unprocessable } from '../../errors.ts'
import type {
  ReorderDraft,
  ReorderDrafts,
  ReorderDraftsInput,
  SkippedSuggestion,
} from '../../schemas/reorder-suggestions.ts'
import { createPurchaseOrder } from '../purchase-orders/purchase-orders.ts'
import { resolveLevelKeys } from '../stock/resolve.ts'
import { readCosts } from './costs.ts'
import { isComputed, readSuggestions, type Suggested } from './suggestions.ts'

/** So many rules are looked at by one request; the next one goes on with those that no draft holds yet. */
const maxRules = 5_000
/** What an order that people edit holds. */
const maxLines = 500
/** Ten less than an order may come to: these floats decide where an order ends, its total is summed by the database. */
const maxTotal = 9_999_999_999_990

/**
 * Creates drafts of what is suggested, of all of it or of some variants or rules: one for each supplier, and for each
 * location that a rule names; another where there are more than 500 lines, or where the total would be too large. A unit costs what it cost last on an order of this
 * supplier, else what the variant cost last, else 0. Says what was left out, and why: without a supplier, in a draft
 * already, enough under way, too dear for an order. Throws unknown_rule, and what `resolveLevelKeys` throws.
 *
 * The rules are locked first, and only then drafts are looked for: of two requests at once the second finds those of
 * the first.
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
    const chosen = sql.fragment`and r.id = any(${sql.array([...locked], 'int8')})`
    const suggestions = await readSuggestions(tx, shopId, chosen)
    const { wanted, skipped } = sortOut(suggestions, await readCosts(tx, shopId, suggestions))
    const purchaseOrders: ReorderDraft[] = []
    for (const { supplierId, supplierName, locationId, locationName, suggestions } of ordersOf(wanted)) {
      const { id, poNumber, total } = await createPurchaseOrder(tx, shopId, actor, {
        supplierId,
        destinationLocationId: locationId,
        lineItems: suggestions.map(({ productId, variantId, suggestedQuantity, cost }) => ({
          productId,
          variantId,
          quantity: suggestedQuantity,
          costPrice: cost,
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
      })
    }
    return { purchaseOrders, skipped }
  })
}

async function variantRows(tx: Db, shopId: number, variantIds: readonly string[]): Promise<number[]> {
  const paths = { variantPath: (at: number) => `/variantIds/${at}`, locationPath: () => '' }
  return (await resolveLevelKeys(tx, shopId, { variantIds, locationIds: [] }, paths)).variants
}

/** A rule whose stock is above its point by now is none that is suggested, but it is there. */
async function requireRules(tx: Db, shopId: number, ruleIds: readonly number[]): Promise<void> {
  const found = await tx.anyFirst(sql.typeAlias('id')`
    select id from reorder_rule where shop_id = ${shopId} and id = any(${sql.array([...ruleIds], 'int8')})
  `)
  const known = new Set(found)
  const details = ruleIds.flatMap((id, at) =>
    known.has(id) ? [] : [{ path: `/ruleIds/${at}`, message: 'is not a reorder rule of this shop' }],
  )
  if (details.length === 0) return
  const message = 'This names a reorder rule that is not there any more. Look at the suggestions again.'
  throw unprocessable('unknown_rule', message, details)
}

/**
 * Suppliers before rules, as whoever deletes a supplier does. Rules that can be ordered come first, however many others
 * there are: those whose position is above their point, that a draft holds, or that lack a supplier or a location wait
 * behind them. All of this is read at once for the whole shop, and read again of the rules that are locked.
 */
async function lockLowRules(
  tx: Db,
  shopId: number,
  { variants, ruleIds }: { variants: readonly number[] | undefined; ruleIds: readonly number[] | undefined },
): Promise<readonly number[]> {
  const isLow = sql.and([
    sql.fragment`r.shop_id = ${shopId} and r.is_low`,
    variants !== undefined && sql.fragment`r.variant_id = any(${sql.array([...variants], 'int8')})`,
    ruleIds !== undefined && sql.fragment`r.id = any(${sql.array([...ruleIds], 'int8')})`,
  ])
  await tx.query(sql.typeAlias('void')`
    select from supplier
    where shop_id = ${shopId} and id in (select r.supplier_id from reorder_rule r where ${isLow})
    order by id
    for share
  `)
  return tx.anyFirst(sql.typeAlias('id')`
    with coming as (
      select l.variant_id, o.destination_location_id as location_id, o.status = 'draft' as is_draft,
        greatest(l.quantity - l.accepted - l.cancelled, 0) as pieces
      from purchase_order o
      join purchase_order_line l on l.shop_id = o.shop_id and l.purchase_order_id = o.id
      where o.shop_id = ${shopId} and o.status in ('draft', 'sent', 'partial')
      union all
      select i.variant_id, t.destination_location_id, false, i.quantity
      from stock_transfer t
      join stock_transfer_item i on i.shop_id = t.shop_id and i.transfer_id = t.id
      where t.shop_id = ${shopId} and t.status = 'in_transit'
    ),
    -- rules and what is coming are sorted together, not joined: a plan that takes either for few would take minutes
    together as (
      select r.id, r.variant_id, r.location_id, r.reorder_point - r.current_stock as room, false as is_draft,
        0 as pieces, r.supplier_id is not null and coalesce(w.is_active, true) as is_complete
      from reorder_rule r
      join variant v on v.shop_id = r.shop_id and v.id = r.variant_id
      left join location w on w.shop_id = r.shop_id and w.id = r.location_id
      where ${isLow} and ${isComputed} and v.is_tracked and v.deleted_at is null
      union all
      select null, variant_id, coalesce(location_id, (
        select id from location where shop_id = ${shopId} and is_primary
      )), null, is_draft, case when is_draft then 0 else pieces end, null
      from coming
    ),
    known as (
      select id, is_complete, room, location_id,
        sum(pieces) over at_all as pieces, bool_or(is_draft) over at_all as is_drafted,
        sum(pieces) over at_one as pieces_there, bool_or(is_draft) over at_one as is_drafted_there
      from together
      window at_all as (partition by variant_id), at_one as (partition by variant_id, location_id)
    ),
    first as materialized (
      select id
      from known
      where id is not null
      order by is_complete and case
        when location_id is null then pieces <= room and not is_drafted
        else pieces_there <= room and not is_drafted_there
      end desc, id
      limit ${maxRules}
    )
    select r.id
    from reorder_rule r
    where r.shop_id = ${shopId} and r.id in (select id from first)
    order by r.id
    for no key update
  `)
}

type Wanted = Suggested & { supplierId: number; supplierName: string; cost: number }

/** Rules of one location come first: what is ordered for them is on its way for the rule of all locations, too. */
function sortOut(
  suggestions: readonly Suggested[],
  costs: ReadonlyMap<string, number>,
): { wanted: Wanted[]; skipped: SkippedSuggestion[] } {
  const skipped: SkippedSuggestion[] = []
  const wanted: Wanted[] = []
  const ordered = new Set<string>()
  const [ofAll = [], ofOne = []] = [true, false].map((isOfAll) =>
    suggestions.filter(({ locationId }) => (locationId === null) === isOfAll),
  )
  for (const suggestion of [...ofOne, ...ofAll]) {
    const { variantId, title, locationId, supplierId, supplierName } = suggestion
    const isOrdered = locationId === null && ordered.has(variantId)
    const cost = costs.get(`${variantId} ${supplierId}`) ?? 0
    const reason = isOrdered ? 'It is ordered for one of its locations now.' : whySkipped(suggestion, cost)
    if (reason !== undefined || supplierId === null || supplierName === null) {
      skipped.push({ variantId, title, reason: reason ?? noSupplier })
    } else {
      ordered.add(variantId)
      wanted.push({ ...suggestion, supplierId, supplierName, cost })
    }
  }
  return { wanted, skipped }
}

const noSupplier = 'Its reorder rule names no supplier. Choose one.'
const tooDear =
  'It would cost more than an order may come to, 10 000 000 000 000. Check its cost and the quantity of its reorder rule.'

function whySkipped(suggestion: Suggested, cost: number): string | undefined {
  if (suggestion.suggestedQuantity === 0) return 'What is on order or in transit is enough.'
  if (suggestion.drafts.length > 0) return `It is in draft ${suggestion.drafts.join(', ')} already.`
  if (!suggestion.isLocationInUse) return 'The location of its reorder rule is not in use any more.'
  if (suggestion.supplierId === null) return noSupplier
  return suggestion.suggestedQuantity * cost > maxTotal ? tooDear : undefined
}

type Order = Pick<Wanted, 'supplierId' | 'supplierName' | 'locationId' | 'locationName'> & {
  suggestions: Wanted[]
}

/** Suppliers in the order of their ids, which is the order of the locks; each order's lines as its rules were made. */
function ordersOf(wanted: readonly Wanted[]): Order[] {
  const byId = wanted.toSorted((a, b) => a.supplierId - b.supplierId || a.ruleId - b.ruleId)
  const groups = Map.groupBy(byId, ({ supplierId, locationId }) => `${supplierId} ${locationId}`)
  return [...groups.values()].flatMap((group) => {
    const orders: Order[] = []
    let total = 0
    for (const suggestion of group) {
      const lineTotal = suggestion.suggestedQuantity * suggestion.cost
      const last = orders.at(-1)
      if (last && last.suggestions.length < maxLines && total + lineTotal <= maxTotal) {
        last.suggestions.push(suggestion)
        total += lineTotal
      } else {
        orders.push({ ...suggestion, suggestions: [suggestion] })
        total = lineTotal
      }
    }
    return orders
  })
}
