import { createFormats } from '../format.ts'
import { oneLine } from '../one-line.ts'
import type { DigestContent, DigestSection, DigestSectionName } from '../schemas/digest.ts'
import type { ReorderSuggestion } from '../schemas/reorder-suggestions.ts'

/** The data of a digest, as the database returns it. */
export type DigestFacts = {
  companyName: string
  locale: string
  timeZone: string
  /** The shop's date, as in 2026-03-01. */
  today: string
  /** The most urgent ones. */
  suggestions: readonly Pick<
    ReorderSuggestion,
    | 'ruleId'
    | 'title'
    | 'sku'
    | 'locationName'
    | 'currentStock'
    | 'reorderPoint'
    | 'suggestedQuantity'
    | 'orderByDate'
    | 'supplierName'
    | 'inDraft'
    | 'drafts'
  >[]
  lowRuleIds: readonly number[]
  lateOrders: readonly { id: number; poNumber: string; supplierName: string; dueAt: string }[]
  failedMails: readonly { id: number; message: string }[]
  failedPushes: readonly { id: number; createdAt: string; error: string }[]
}

type Line = { key: string; text: string }
/** `total` counts more than the lines when the texts of some are not known. */
type Part = { name: DigestSectionName; lines: readonly Line[]; total?: number; keys?: readonly string[] }

const maxLines = 20

/** The title of each section, and what the subject calls one and several of it. */
const words: Record<DigestSectionName, { title: string; one: string; many: string }> = {
  late_orders: { title: 'Late orders', one: 'late order', many: 'late orders' },
  due_drafts: { title: 'Drafts to send today', one: 'draft to send', many: 'drafts to send' },
  to_order: { title: 'Order today', one: 'product to order', many: 'products to order' },
  low_stock: { title: 'Low stock', one: 'product low', many: 'products low' },
  failed_mails: { title: 'Order e-mails that failed', one: 'failed e-mail', many: 'failed e-mails' },
  failed_stock_changes: {
    title: 'Stock changes that didn’t sync',
    one: 'stock change not synced',
    many: 'stock changes not synced',
  },
}

/**
 * The digest in words. A line whose key is not in `seen` is new. A product that was low is new again when it must be ordered
 * today, because its key names the section.
 */
export function composeDigest(
  facts: DigestFacts,
  seen: ReadonlySet<string>,
): { content: DigestContent; keys: string[]; isNew: boolean } {
  const parts = partsOf(facts)
  const keys = parts.flatMap(({ lines, keys: all }) => all ?? lines.map(({ key }) => key))
  const sections = parts.flatMap(({ name, lines, total = lines.length }): DigestSection[] => {
    if (total === 0) return []
    const marked = lines.map(({ key, text }) => ({ text: oneLine(text), isNew: !seen.has(key) }))
    const ordered = [...marked.filter(({ isNew }) => isNew), ...marked.filter(({ isNew }) => !isNew)]
    return [{ name, title: words[name].title, total, lines: ordered.slice(0, maxLines) }]
  })
  const subject = subjectOf(facts, sections)
  return { content: { subject, sections }, keys, isNew: keys.some((key) => !seen.has(key)) }
}

function partsOf(facts: DigestFacts): Part[] {
  const { today, suggestions, lowRuleIds, lateOrders, failedMails, failedPushes } = facts
  // only dates are formatted, so the currency does not matter
  const { date, quantity } = createFormats(facts.locale, 'USD', facts.timeZone)
  const isDue = ({ orderByDate }: DigestFacts['suggestions'][number]) =>
    orderByDate !== null && orderByDate <= today
  const due = suggestions.filter((it) => isDue(it) && it.suggestedQuantity > 0)
  const toOrder = due.filter(({ inDraft }) => inDraft === 0)
  const toOrderIds = new Set(toOrder.map(({ ruleId }) => ruleId))
  const low = suggestions.filter(({ ruleId }) => !toOrderIds.has(ruleId))
  const lowKeys = lowRuleIds.filter((id) => !toOrderIds.has(id)).map((id) => `low/${id}`)
  const drafts = Map.groupBy(
    due.flatMap((it) => it.drafts),
    ({ poNumber }) => poNumber,
  )
  return [
    {
      name: 'late_orders',
      lines: lateOrders.map(({ id, poNumber, supplierName, dueAt }) => ({
        key: `late/${id}`,
        text: `${poNumber} of ${supplierName} was expected on ${date(dueAt)}`,
      })),
    },
    {
      name: 'due_drafts',
      lines: [...drafts].map(([poNumber, { length }]) => ({
        key: `draft/${poNumber}`,
        text: `${poNumber} has ${length} ${length === 1 ? 'product' : 'products'} to order today`,
      })),
    },
    {
      name: 'to_order',
      lines: toOrder.map((it) => ({
        key: `order/${it.ruleId}`,
        text: `${nameOf(it)}: ${quantity(it.currentStock)} in stock, order ${quantity(it.suggestedQuantity)}${
          it.supplierName ? ` from ${it.supplierName}` : ''
        }`,
      })),
    },
    {
      name: 'low_stock',
      lines: low.map((it) => ({
        key: `low/${it.ruleId}`,
        text: `${nameOf(it)}: ${quantity(it.currentStock)} in stock, reorder point ${quantity(it.reorderPoint)}`,
      })),
      total: Math.max(lowKeys.length, low.length),
      keys: lowKeys,
    },
    {
      name: 'failed_mails',
      lines: failedMails.map(({ id, message }) => ({ key: `mail/${id}`, text: message })),
    },
    {
      name: 'failed_stock_changes',
      lines: failedPushes.map(({ id, createdAt, error }) => ({
        key: `push/${id}`,
        text: `${date(createdAt)}: ${error}`,
      })),
    },
  ]
}

/** Example: `Blue mug - Large (MUG-1) at Bath`. */
const nameOf = ({ title, sku, locationName }: DigestFacts['suggestions'][number]) =>
  `${title}${sku ? ` (${sku})` : ''}${locationName ? ` at ${locationName}` : ''}`

/** Example: `Kestrel & Vine: 2 late orders, 5 products to order`. */
function subjectOf({ companyName }: DigestFacts, sections: readonly DigestSection[]): string {
  const counted = sections.map(
    ({ name, total }) => `${total} ${total === 1 ? words[name].one : words[name].many}`,
  )
  const what = counted.length === 0 ? 'nothing needs attention' : counted.join(', ')
  return `${oneLine(companyName).slice(0, 100).toWellFormed() || 'Quartermaster'}: ${what}`
}
