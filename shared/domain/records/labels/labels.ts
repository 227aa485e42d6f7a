import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { badRequest, type Fault, notFound, unprocessable } from '../../../errors.ts'
import { createFormats } from '../../../format.ts'
import { codeOf, modulesOf, tooLong } from '../../../labels/code.ts'
import { isRoll, moduleDots } from '../../../labels/sizes.ts'
import { zplModules } from '../../../labels/zpl.ts'
import { Id, Nullable } from '../../../schemas/common.ts'
import {
  type Label,
  type LabelCount,
  type LabelFormat,
  type LabelQuery,
  type LabelSheet,
  maxLabelsOfFile,
} from '../../../schemas/labels.ts'
import { getSettings } from '../shops/settings.ts'

/** Of an error. */
const maxFaults = 50

const LabelLine = Type.Object({
  title: Type.String(),
  variantTitle: Type.String(),
  sku: Type.String(),
  barcode: Type.String(),
  price: Nullable(Type.Number()),
  variantId: Id,
  received: Type.Integer(),
  ordered: Type.Integer(),
  stock: Type.Integer(),
})
type LabelLine = Static<typeof LabelLine>

type Source = { receiptId: number } | { purchaseOrderId: number } | { variantGids: readonly string[] }

type Target = {
  /** The encoder of the bars: our renderer in a PDF, the printer in ZPL. */
  output: 'pdf' | 'zpl'
  /** Turns the number of a variant into its id. */
  gidOf: (number: string) => string
}

/**
 * The labels of one file: those that the query asks for, or a part of them from the label `from`. Throws too_many_labels without
 * `from`, no_labels, and the errors of `chooseLabels`.
 */
export async function getLabels(
  db: Db,
  shopId: number,
  query: LabelQuery,
  target: Target,
): Promise<LabelSheet> {
  const { look, labels } = await chooseLabels(db, shopId, query, target)
  return {
    asOf: new Date().toISOString(),
    format: look.format,
    dpi: look.dpi,
    startAt: query.startAt ?? 1,
    labels: partOf(labels, query.from),
  }
}

/** How many labels the query asks for, in all files. Throws the errors of `chooseLabels`. */
export async function countLabels(
  db: Db,
  shopId: number,
  query: LabelQuery,
  target: Target,
): Promise<LabelCount> {
  const { labels } = await chooseLabels(db, shopId, query, target)
  return { total: totalOf(labels), perFile: maxLabelsOfFile }
}

/**
 * The labels that the query asks for, in the order of the lines of its receipt or order, or of its variants. Throws
 * not_found, unknown_variant, unknown_location, not_a_roll, and no_code with every line whose label cannot have a barcode,
 * unless the query skips them.
 */
async function chooseLabels(
  db: Db,
  shopId: number,
  query: LabelQuery,
  { output, gidOf }: Target,
): Promise<{ look: LabelFormat; labels: readonly Label[] }> {
  const source = sourceOf(query, gidOf)
  const copies =
    query.copies ?? ('receiptId' in source ? 'received' : 'variantGids' in source ? '1' : 'ordered')
  if ('variantGids' in source && (copies === 'received' || copies === 'ordered')) {
    throw badRequest([{ path: '/copies', message: 'must be stock or a number for single products' }])
  }
  const given = copies.split(',').length
  if (given > 1 && !('variantGids' in source && source.variantGids.length === given)) {
    throw badRequest([{ path: '/copies', message: 'must be one number, or one for each of variantIds' }])
  }
  const settings = await getSettings(db, shopId)
  const look = { ...settings.labelFormat, ...(query.format && { format: query.format }) }
  if (output === 'zpl' && !isRoll(look.format)) throw notARoll()
  const lines = await readLines(db, shopId, source, query, copies)
  const numbers = copiesOf(lines, copies)
  const formats = createFormats(settings.locale, settings.currency, settings.timeZone)
  const faults: Fault[] = []
  const labels = lines.flatMap((line, at): Label[] => {
    if (numbers[at] === 0) return []
    const code = codeFor(line, look, output)
    if (typeof code === 'string') {
      const name = [line.title, line.variantTitle].filter(Boolean).join(' - ')
      faults.push({ path: `/lines/${at}`, message: `${name}: ${code}` })
      return []
    }
    const { title, variantTitle, sku } = line
    const price = look.price && line.price !== null ? formats.money(line.price) : ''
    return [{ title, variantTitle, sku, price, code, copies: numbers[at] ?? 0 }]
  })
  if (faults.length > 0 && !query.skipWithoutCode) throw withoutCode(faults)
  return { look, labels }
}

function sourceOf(
  { receiptId, purchaseOrderId, variantIds }: LabelQuery,
  gidOf: (number: string) => string,
): Source {
  const sources: Source[] = [
    ...(receiptId === undefined ? [] : [{ receiptId }]),
    ...(purchaseOrderId === undefined ? [] : [{ purchaseOrderId }]),
    ...(variantIds === undefined
      ? []
      : [{ variantGids: variantIds.split(',').map((id) => (/^\d+$/.test(id) ? gidOf(id) : id)) }]),
  ]
  const [source] = sources
  if (source && sources.length === 1) return source
  throw badRequest([{ path: '', message: 'must have one of receiptId, purchaseOrderId and variantIds' }])
}

function codeFor(line: LabelLine, look: LabelFormat, output: Target['output']): Label['code'] | string {
  const code = codeOf(line)
  if (typeof code === 'string') return code
  const dots = moduleDots(output === 'zpl' ? zplModules(code) : modulesOf(code), look)
  return dots === 0 ? tooLong(code.text) : { ...code, dots }
}

/** Copies by line: one number for all, or one for each. Stock is that of the variant, so only its first line counts it. */
function copiesOf(lines: readonly LabelLine[], copies: string): number[] {
  const seen = new Set<number>()
  const numbers = copies.split(',').map(Number)
  return lines.map((line, at) => {
    if (copies === 'received') return line.received
    if (copies === 'ordered') return line.ordered
    if (copies !== 'stock') return numbers[numbers.length > 1 ? at : 0] ?? 0
    const isFirst = !seen.has(line.variantId)
    seen.add(line.variantId)
    return isFirst ? line.stock : 0
  })
}

function notARoll() {
  const fault = { path: '/format', message: 'must be the size of a roll: 62x29, 57x32 or 50x25' }
  return unprocessable('not_a_roll', 'A label printer prints no sheets. Choose the size of its labels.', [
    fault,
  ])
}

function withoutCode(faults: readonly Fault[]) {
  const subject = faults.length === 1 ? 'A label' : `Labels of ${faults.length} lines`
  return unprocessable(
    'no_code',
    `${subject} cannot have a barcode. Give these products a barcode or a SKU in your shop, or leave them out.`,
    faults.slice(0, maxFaults),
  )
}

function noneOrdered() {
  const fault = {
    path: '/copies',
    message: 'must be received, stock or a number for a receipt without an order',
  }
  return unprocessable(
    'no_labels',
    'Goods that arrived without an order were not ordered. Print a label for each received piece.',
    [fault],
  )
}

const totalOf = (labels: readonly Label[]) => labels.reduce((sum, { copies }) => sum + copies, 0)

/** The labels of the file that begins with label `from`. Example: 600 copies of A and 900 of B, from 1001: 500 copies of B. */
function partOf(labels: readonly Label[], from: number | undefined): Label[] {
  const total = totalOf(labels)
  if (total === 0) {
    throw unprocessable('no_labels', 'There is nothing to print: the number of labels is 0.')
  }
  if (from === undefined && total > maxLabelsOfFile) {
    const message = `must give at most ${maxLabelsOfFile} labels, and gives ${total}`
    throw unprocessable(
      'too_many_labels',
      `These are ${total} labels, and one file holds at most ${maxLabelsOfFile}. Print them in parts.`,
      [{ path: '/copies', message }],
    )
  }
  const skipped = (from ?? 1) - 1
  if (skipped >= total) {
    throw unprocessable('no_labels', `There are only ${total} labels. Begin with one of them.`, [
      { path: '/from', message: `must be at most ${total}` },
    ])
  }
  let before = 0
  return labels.flatMap((label) => {
    const first = Math.max(skipped - before, 0)
    const end = Math.min(skipped + maxLabelsOfFile - before, label.copies)
    before += label.copies
    return end > first ? [{ ...label, copies: end - first }] : []
  })
}

const LabelledReceipt = Type.Object({ locationId: Id, hasOrder: Type.Boolean() })

async function readLines(
  db: Db,
  shopId: number,
  source: Source,
  { locationId: locationGid }: LabelQuery,
  copies: string,
): Promise<readonly LabelLine[]> {
  const locationId = locationGid === undefined ? null : await findLocation(db, shopId, locationGid)
  if ('receiptId' in source) {
    const { receiptId } = source
    const found = await db.maybeOne(sql.type(row(LabelledReceipt))`
      select location_id, purchase_order_id is not null as has_order
      from receipt
      where shop_id = ${shopId} and id = ${receiptId}
    `)
    if (!found) throw notFound('Receipt')
    if (!found.hasOrder && copies === 'ordered') throw noneOrdered()
    return db.any(sql.type(row(LabelLine))`
      select ${variantColumns(shopId, locationId ?? found.locationId)},
        case when r.reversed_at is null then g.quantity else 0 end as received, g.ordered
      from (
        select l.variant_id, x.quantity, l.quantity as ordered, l.position, l.id
        from receipt_line x
        join purchase_order_line l on l.shop_id = ${shopId} and l.id = x.purchase_order_line_id
        where x.shop_id = ${shopId} and x.receipt_id = ${receiptId}
        union all
        select d.variant_id, d.quantity, 0, d.position, 0
        from direct_receipt_line d
        where d.shop_id = ${shopId} and d.receipt_id = ${receiptId}
      ) g
      join receipt r on r.shop_id = ${shopId} and r.id = ${receiptId}
      join variant v on v.shop_id = ${shopId} and v.id = g.variant_id
      join product p on p.shop_id = ${shopId} and p.id = v.product_id
      order by g.position, g.id
    `)
  }
  if ('purchaseOrderId' in source) {
    const { purchaseOrderId } = source
    const isKnown = await db.exists(sql.typeAlias('id')`
      select id from purchase_order where shop_id = ${shopId} and id = ${purchaseOrderId}
    `)
    if (!isKnown) throw notFound('Purchase order')
    return db.any(sql.type(row(LabelLine))`
      select ${variantColumns(shopId, locationId)}, l.accepted as received, l.quantity as ordered
      from purchase_order_line l
      join variant v on v.shop_id = ${shopId} and v.id = l.variant_id
      join product p on p.shop_id = ${shopId} and p.id = v.product_id
      where l.shop_id = ${shopId} and l.purchase_order_id = ${purchaseOrderId}
      order by l.position, l.id
    `)
  }
  return readVariants(db, shopId, source.variantGids, locationId)
}

const GivenVariant = Type.Object({ ...LabelLine.properties, gid: Type.String() })

async function readVariants(db: Db, shopId: number, gids: readonly string[], locationId: number | null) {
  const known = await db.any(sql.type(row(GivenVariant))`
    select v.gid, ${variantColumns(shopId, locationId)}, 0 as received, 0 as ordered
    from variant v
    join product p on p.shop_id = ${shopId} and p.id = v.product_id
    where v.shop_id = ${shopId} and v.gid = any(${sql.array([...gids], 'text')})
  `)
  const byGid = new Map(known.map((variant) => [variant.gid, variant]))
  const missing = gids.filter((gid) => !byGid.has(gid))
  if (missing.length > 0) {
    const faults = missing
      .slice(0, maxFaults)
      .map((gid) => ({ path: '/variantIds', message: `${gid} is not a variant of this shop` }))
    throw unprocessable('unknown_variant', 'A product in this request is not in this shop.', faults)
  }
  return gids.flatMap((gid) => byGid.get(gid) ?? [])
}

async function findLocation(db: Db, shopId: number, gid: string): Promise<number> {
  const location = await db.maybeOne(sql.typeAlias('id')`
    select id from location where shop_id = ${shopId} and gid = ${gid}
  `)
  if (location) return location.id
  const fault = { path: '/locationId', message: 'is not a location of this shop' }
  throw unprocessable('unknown_location', 'A location in this request does not exist or is not in use.', [
    fault,
  ])
}

/** SQL: what a label shows of variant `v` of product `p`, and the pieces on the shelf, at one location or at all. */
const variantColumns = (shopId: number, locationId: number | null) => sql.fragment`
  v.id as variant_id, case when v.confirmed_at is null then v.title else p.title end as title,
  case when v.confirmed_at is null then '' else v.title end as variant_title, v.sku, v.barcode, v.price,
  (
    select coalesce(sum(greatest(coalesce(s.on_hand, s.quantity), 0)), 0)
    from stock_level s
    where s.shop_id = ${shopId} and s.variant_id = v.id
      and (${locationId}::bigint is null or s.location_id = ${locationId})
  ) as stock
`
