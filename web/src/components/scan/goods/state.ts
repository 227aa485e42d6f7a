import { codeOf } from '../codes.ts'
import type { Product, QueueState, UnresolvedScan } from '../state.ts'

/**
 * A line of a document whose goods are scanned. A scan above `outstanding` gives a notice; above `allowed` the user must confirm.
 * `bin` is where the goods lie or go to, if that is known, `cost` what one piece costs by the document, and `note` why
 * pieces of the line are not expected any more.
 */
export type GoodsLine = Product & {
  lineId: string
  outstanding: number
  allowed: number
  bin?: string
  cost?: number | null
  note?: string
}

/** A code of a line; one scan adds `pieces`: those of a pack for its barcode. The first of several kinds is the best. */
export type LineCode = { code: string; kind: string; lineId: string; pieces: number }

export type GoodsDocument = { lines: readonly GoodsLine[]; codes: readonly LineCode[] }

/** The line that a code names, with the pieces of one scan. */
export type Target = Product & { lineId: string; pieces: number }

/**
 * What arrived of a line: pieces for the stock, and rejected ones with their reason. `unitCost` is what was paid for a piece,
 * null when that is the cost of the document; entries of documents without costs leave it out.
 */
export type Counted = {
  accepted: number
  rejected: number
  reason: string
  outcome: 'replace' | 'credit' | null
  unitCost?: number | null
}

/**
 * An edit as differences to the row that the dialog showed, so that it keeps the scans of another device: of 5 pieces changed to 3
 * it is `add: -2`, and 6 that another device has counted become 4. The words and the cost are in it when they were changed.
 */
export type GoodsEdit = { add: number; reject: number } & Partial<
  Pick<Counted, 'reason' | 'outcome' | 'unitCost'>
>

/** Local storage holds this shape: a scan adds pieces. An edit of an earlier release, `Counted`, replaces what was counted. */
export type GoodsEntry = { at: number; lineId: string; change: { add: number } | GoodsEdit | Counted }

/**
 * Why a scan is not counted:
 *   unknown   no product has the code, or no document expects the product: `message`
 *   other     another document expects the product: `message`, `elsewhere`
 *   several   lines of several products have the code: the merchant chooses from `found`
 *   complete  more than is allowed would have arrived: the merchant decides
 */
export type GoodsFault = 'unknown' | 'other' | 'several' | 'complete'
export type GoodsScan = UnresolvedScan<Target, GoodsFault>

/** `counted` is what is stored; the entries of the queue come on top. */
export type Goods = { document: GoodsDocument; counted: ReadonlyMap<string, Counted> }
export type GoodsState = QueueState<GoodsEntry, Target, GoodsFault> & Goods

export const nothing: Counted = { accepted: 0, rejected: 0, reason: '', outcome: null }

function withChange(before: Counted, change: GoodsEntry['change']): Counted {
  if (!('add' in change)) return { ...before, ...change }
  const accepted = Math.max(0, before.accepted + change.add)
  return 'reject' in change ? { ...withEdit(before, change), accepted } : { ...before, accepted }
}

function withEdit(before: Counted, { add, reject, ...words }: GoodsEdit): Counted {
  const rejected = Math.max(0, before.rejected + reject)
  if (rejected === 0) return { ...before, ...words, rejected, reason: '', outcome: null }
  // pieces that another device has rejected meanwhile keep their reason
  const { reason, outcome, ...rest } = words
  return {
    ...{ ...before, ...rest, rejected },
    ...{ reason: reason || before.reason, outcome: outcome ?? before.outcome },
  }
}

/** What an edit changes of the row that its dialog showed. */
export function editOf(shown: Counted, counted: Counted): GoodsEdit {
  const { reason, outcome, unitCost } = counted
  return {
    ...{ add: counted.accepted - shown.accepted, reject: counted.rejected - shown.rejected },
    ...(reason !== shown.reason && { reason }),
    ...(outcome !== shown.outcome && { outcome }),
    ...(unitCost !== undefined && unitCost !== (shown.unitCost ?? null) && { unitCost }),
  }
}

/** What was counted, with the changes of the entries in their order. */
export function withEntries(
  counted: ReadonlyMap<string, Counted>,
  entries: Iterable<GoodsEntry>,
): ReadonlyMap<string, Counted> {
  const sums = new Map(counted)
  for (const { lineId, change } of entries) {
    sums.set(lineId, withChange(sums.get(lineId) ?? nothing, change))
  }
  return sums
}

export type GoodsRow = GoodsLine & Counted

export function goodsRows({
  document,
  counted,
  entries,
}: Pick<GoodsState, keyof Goods | 'entries'>): GoodsRow[] {
  const sums = withEntries(counted, entries.values())
  return document.lines.map((line) => ({ ...line, ...(sums.get(line.lineId) ?? nothing) }))
}

/** The pieces that count towards the outstanding ones: the supplier replaces the other rejected ones. */
export const settledOf = ({ accepted, rejected, outcome }: Counted): number =>
  accepted + (outcome === 'credit' ? rejected : 0)

/** The pieces of a line that are not expected. */
export const extraOf = (row: GoodsRow): number => Math.max(0, settledOf(row) - row.outstanding)

/** The lines that a code names, best first: those with outstanding pieces, then by the kind of the code. */
export function targetsOf(state: GoodsState, code: string): readonly Target[] {
  const rows = new Map(goodsRows(state).map((row) => [row.lineId, row]))
  const matches = state.document.codes.flatMap((match) => {
    const row = codeOf(match.code) === code ? rows.get(match.lineId) : undefined
    return row ? [{ ...match, row, isOpen: row.outstanding > settledOf(row) }] : []
  })
  const [best] = [...matches.filter(({ isOpen }) => isOpen), ...matches]
  if (!best) return []
  const rivals = matches.filter(
    ({ row, kind, isOpen }) =>
      row.variantId !== best.row.variantId && kind === best.kind && isOpen === best.isOpen,
  )
  return [best, ...rivals].map(({ row, pieces }) => targetOf(row, pieces))
}

export const targetOf = ({ lineId, variantId, sku, barcode, title }: GoodsLine, pieces: number): Target => ({
  ...{ lineId, variantId, sku, barcode, title },
  pieces,
})
