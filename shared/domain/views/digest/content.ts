import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { composeDigest, type DigestFacts } from '../../../mail/digest-words.ts'
import { Id, Nullable, Timestamp } from '../../../schemas/common.ts'
import type { DigestContent, DigestPreview } from '../../../schemas/digest.ts'
import { isOverdue } from '../../documents/purchase-orders/overdue.ts'
import { todayOf } from '../../kit/date-range.ts'
import { isComputed, readSuggestions } from '../../planning/reorder/suggestions.ts'
import { localeOf } from '../../records/shops/locale.ts'
import { dueAt } from '../../records/supplier-prices/due-at.ts'

/** The most urgent rules, as Home reads them. */
const maxSuggestions = 250
/** Of each kind; what is beyond is counted as the last one, and is never new. */
const maxRows = 5_000

const Head = Type.Object({
  companyName: Type.String(),
  locale: Type.String(),
  timeZone: Type.String(),
  today: Type.String(),
})
const LateOrder = Type.Object({
  id: Id,
  poNumber: Type.String(),
  supplierName: Type.String(),
  dueAt: Timestamp,
})
const FailedMail = Type.Object({ id: Id, message: Type.String() })
const FailedPush = Type.Object({ id: Id, createdAt: Timestamp, error: Type.String() })
const Seen = Type.Object({ seen: Nullable(Type.Array(Type.String())) })
type Seen = Static<typeof Seen>

/** What needs attention at this moment. `keys` names all of it, also what the mail only counts. */
export type DigestNow = { content: DigestContent; keys: string[]; isNew: boolean }

/** Reads what needs attention, and marks what the newest digest that was sent did not have. */
export async function readDigest(db: Db, shopId: number): Promise<DigestNow> {
  const head = await db.one(sql.type(row(Head))`
    select coalesce(t.company_name, '') as company_name, ${localeOf(shopId)} as locale,
      coalesce(t.time_zone, 'UTC') as time_zone, to_char(${todayOf(shopId)}, 'YYYY-MM-DD') as today
    from (select ${shopId}::bigint as shop_id) shop
    left join shop_setting t on t.shop_id = ${shopId}
  `)
  const suggestions = await readSuggestions(db, shopId, { page: { limit: maxSuggestions } })
  const lowRuleIds = await db.anyFirst(sql.typeAlias('id')`
    select r.id
    from reorder_rule r
    join variant v on v.shop_id = ${shopId} and v.id = r.variant_id
    where r.shop_id = ${shopId} and r.is_low and ${isComputed('r')} and v.is_tracked and v.deleted_at is null
    order by r.id
    limit ${maxRows}
  `)
  const lateOrders = await db.any(sql.type(row(LateOrder))`
    select o.id, o.po_number, s.name as supplier_name, ${dueAt('o', 's')} as due_at
    from purchase_order o
    join supplier s on s.shop_id = ${shopId} and s.id = o.supplier_id
    where o.shop_id = ${shopId} and ${isOverdue('o', 's')}
    order by due_at, o.id
    limit ${maxRows}
  `)
  const failedMails = await db.any(sql.type(row(FailedMail))`
    select id, message
    from alert
    where shop_id = ${shopId} and type = 'mail_failed' and resolved_at is null
    order by id desc
    limit ${maxRows}
  `)
  const failedPushes = await db.any(sql.type(row(FailedPush))`
    select id, created_at, error
    from stock_push
    where shop_id = ${shopId} and state = 'failed'
    order by id desc
    limit ${maxRows}
  `)
  const facts: DigestFacts = { ...head, suggestions, lowRuleIds, lateOrders, failedMails, failedPushes }
  return composeDigest(facts, await readSeen(db, shopId))
}

/** The digest of this moment, whether or not it is turned on. */
export async function previewDigest(db: Db, shopId: number): Promise<DigestPreview> {
  const { content, isNew } = await readDigest(db, shopId)
  return { ...content, isNew }
}

/** SQL for the id of the newest digest that a recipient has, or that had nothing to say. */
export const seenDigest = (shopId: number) => sql.fragment`(
  select g.id
  from digest g
  where g.shop_id = ${shopId} and g.seen is not null and (
    g.state = 'nothing_new' or exists (
      select from digest_mail m where m.shop_id = ${shopId} and m.digest_id = g.id and m.state = 'sent'
    )
  )
  order by g.day desc
  limit 1
)`

async function readSeen(db: Db, shopId: number): Promise<ReadonlySet<string>> {
  const newest: Seen | null = await db.maybeOne(sql.type(row(Seen))`
    select to_jsonb(seen) as seen from digest where shop_id = ${shopId} and id = ${seenDigest(shopId)}
  `)
  return new Set(newest?.seen ?? [])
}
