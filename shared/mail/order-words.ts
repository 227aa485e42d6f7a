import { createFormats, type Formats } from '../format.ts'
import { oneLine } from '../one-line.ts'
import type { MailKind, MailTemplateText } from '../schemas/mail-templates.ts'
import type { PurchaseOrderDocument } from '../schemas/order-document.ts'
import type { RevisionChange } from '../schemas/purchase-orders.ts'
import { expectedDate } from '../words/expected-date.ts'
import { orderAmount } from '../words/order-amount.ts'
import { type Words, wordsOf } from '../words/words.ts'
import { fillTemplate } from './template.ts'

/** Subject and text of a mail, as plain text without placeholders. */
export type MailWords = { subject: string; body: string }

const maxSubjectLength = 300

/** The standard text of a kind of mail, as a template. */
export const defaultTemplate = (words: Words, kind: MailKind): MailTemplateText =>
  kind === 'revision'
    ? { subject: words.subjectOfRevision, body: words.bodyOfRevision }
    : { subject: words.subjectOfOrder, body: words.bodyOfOrder }

/** Subject and text of a mail of this order: from the template, else the standard text in the order's language. */
export function writeMail(
  order: PurchaseOrderDocument,
  kind: MailKind,
  {
    template,
    changes = [],
  }: { template?: MailTemplateText | undefined; changes?: readonly RevisionChange[] },
): MailWords {
  const words = wordsOf(order.language)
  const values = valuesOf(order, words, changes)
  const { subject, body } = template ?? defaultTemplate(words, kind)
  const write = (text: string) =>
    oneLine(fillTemplate(text, values)).slice(0, maxSubjectLength).toWellFormed()
  return {
    subject: write(subject) || write(defaultTemplate(words, kind).subject),
    body: fillTemplate(body, values),
  }
}

/** A value that is on one line in the standard text is on one line in every template. */
function valuesOf(
  order: PurchaseOrderDocument,
  words: Words,
  changes: readonly RevisionChange[],
): Map<string, string> {
  const { shop, supplier } = order
  const formats = createFormats(order.locale, order.currency, order.timeZone)
  const values: [string, string][] = [
    ['poNumber', oneLine(order.poNumber)],
    ['orderedAt', formats.date(order.orderedAt)],
    ['expectedAt', expectedDate(order, words, formats)],
    ['deliverTo', deliverTo(order)],
    ['contactName', oneLine(supplier.contactName) || oneLine(supplier.name)],
    ['supplierName', oneLine(supplier.name)],
    ['shopName', oneLine(shop.name)],
    ['reference', oneLine(order.reference ?? '')],
    ['supplierReference', oneLine(order.supplierReference ?? '')],
    ['lineCount', formats.quantity(order.lines.length)],
    ['total', orderAmount(order.total, order, words, formats)],
    ['supplierNotes', order.supplierNotes.trim()],
    [
      'companyDetails',
      [shop.name, ...linesOf(shop.address), shop.phone, shop.email].map(oneLine).filter(Boolean).join('\n'),
    ],
    ['revision', String(order.revision ?? 0)],
    ['changes', changes.map((change) => changeLine(change, words, formats)).join('\n')],
  ]
  return new Map(values)
}

/** The place of delivery on one line. Example: `Harbour warehouse, Gate 4, Portland, Oregon 97203`. */
const deliverTo = ({ shipTo }: PurchaseOrderDocument): string =>
  [shipTo?.name ?? '', ...linesOf(shipTo?.address ?? '')].map(oneLine).filter(Boolean).join(', ')

const linesOf = (text: string): string[] => text.split(/\r\n?|\n/)

/** Example: `Changed: ACM-12 / MUG-1 Blue mug. Quantity: 10 → 12. Unit cost: $2.00 → $2.10`. */
function changeLine({ before, after, ...line }: RevisionChange, words: Words, formats: Formats): string {
  const codes = [line.supplierSku, line.sku].map(oneLine).filter(Boolean).join(' / ')
  const item = [codes, oneLine(line.title)].filter(Boolean).join(' ')
  const step = (title: string, from: string | undefined, to: string | undefined) => {
    const values = [...new Set([from, to])].filter((value) => value !== undefined)
    return values.length === 0 || (from !== undefined && from === to)
      ? []
      : [`${title}: ${values.join(' → ')}`]
  }
  const cost = (price: number | null) => (price === null ? words.toBeAgreed : formats.cost(price))
  const what = before === null ? words.added : after === null ? words.removed : words.changed
  const steps =
    after === null
      ? []
      : [
          ...step(
            words.quantity,
            before ? formats.quantity(before.quantity) : undefined,
            formats.quantity(after.quantity),
          ),
          ...step(words.unitCost, before ? cost(before.costPrice) : undefined, cost(after.costPrice)),
        ]
  return [`${what}: ${item}`, ...steps].join('. ')
}
