import type { Db } from '../../../../db/db.ts'
import { badRequest, type Fault, unprocessable } from '../../../../errors.ts'
import type { OrderWarning } from '../../../../schemas/purchase-orders.ts'
import type { ResolvedVariant } from '../../../records/catalogue/variants.ts'
import { readLineTerms } from '../../../records/supplier-prices/price-of-line.ts'
import { type Packaging, roundUpToPacks } from '../../../records/supplier-prices/quantity.ts'
import type { OrderLine } from './lines.ts'

/** A line whose missing fields come from the supplier's catalogue. Without quantity and packs the quantity is 0. */
export type OpenLine = {
  id: number | null
  variant: ResolvedVariant
  quantity?: number | undefined
  packs?: number | null | undefined
  /** Null: not known. */
  costPrice?: number | null | undefined
  supplierSku?: string | undefined
  packSize?: number | undefined
  discountPercent?: number | undefined
  taxRate?: number | undefined
  /** Pieces that rounding added to `ofQuantity` pieces; a line of another quantity was typed. */
  rounded?: { by: number; ofQuantity: number } | undefined
}

/** What lines have in common: the order's supplier and currency, and the supplier's default tax rate in percent. */
export type OrderTerms = { supplierId: number; currency: string; taxRate: number }

/** The terms of the supplier's catalogue that `fillLines` reads for a line. */
export type KnownTerms = Packaging & {
  supplierSku: string
  price?: number | null
  /** The price before the discount of the supplier's last order. */
  fullPrice?: number | null
}

type CompleteLines = { lines: OrderLine[]; warnings: OrderWarning[] }

const maxQuantity = 1_000_000_000

/**
 * Fills the fields that lines omit. Price: that of the catalogue (`readLineTerms`), else it is not known. Supplier SKU and pack size: those
 * of the catalogue. Tax rate: the supplier's. Quantities stay as they are typed; `warnings` name those that the supplier
 * does not accept. Throws packs_mismatch, with every line whose packs and quantity disagree.
 */
export async function completeLines(
  tx: Db,
  shopId: number,
  order: OrderTerms,
  lines: readonly OpenLine[],
): Promise<CompleteLines> {
  const { supplierId, currency } = order
  const wanted = lines.map(({ variant, quantity, packs, packSize, supplierSku, costPrice }) => ({
    variantRowId: variant.rowId,
    supplierId,
    currency,
    supplierSku: supplierSku || undefined,
    quantity,
    packs: packs ?? undefined,
    packSize,
    hasCost: costPrice !== undefined,
  }))
  return fillLines(order, lines, await readLineTerms(tx, shopId, wanted))
}

/** The same with terms that the caller has read, in the order of the lines. */
export function fillLines(
  { taxRate }: Pick<OrderTerms, 'taxRate'>,
  lines: readonly OpenLine[],
  terms: readonly KnownTerms[],
): CompleteLines {
  refuse(lines, terms)
  const complete = lines.flatMap((line, index): OrderLine[] => {
    const ofCatalogue = terms[index]
    if (!ofCatalogue) return []
    const quantity = piecesOf(line, ofCatalogue)
    const packSize = line.packSize ?? ofCatalogue.packSize
    return [
      {
        id: line.id,
        variant: line.variant,
        quantity,
        costPrice: line.costPrice === undefined ? priceOf(line, ofCatalogue) : line.costPrice,
        supplierSku: line.supplierSku ?? ofCatalogue.supplierSku,
        packSize,
        discountPercent: line.discountPercent ?? 0,
        taxRate: line.taxRate ?? taxRate,
        roundedUpBy: line.rounded?.ofQuantity === quantity ? line.rounded.by : 0,
      },
    ]
  })
  const packagings = complete.map(({ quantity, packSize }, index) => ({
    ...(terms[index] as KnownTerms),
    quantity,
    packSize,
  }))
  return { lines: complete, warnings: warningsOf(packagings) }
}

/** A line with its own discount gets the price before the discount of the supplier's last order. */
const priceOf = ({ discountPercent = 0 }: OpenLine, { price = null, fullPrice = price }: KnownTerms) =>
  discountPercent > 0 ? fullPrice : price

const piecesOf = ({ quantity, packs, packSize }: OpenLine, ofCatalogue: KnownTerms) =>
  quantity ?? (packs ?? 0) * (packSize ?? ofCatalogue.packSize)

function refuse(lines: readonly OpenLine[], terms: readonly KnownTerms[]): void {
  const faultsOf = (
    field: string,
    messageOf: (line: OpenLine, terms: KnownTerms) => string | false,
  ): Fault[] =>
    terms.flatMap((ofCatalogue, index) => {
      const message = messageOf(lines[index] as OpenLine, ofCatalogue)
      return message ? [{ path: `/lineItems/${index}/${field}`, message }] : []
    })
  const mismatched = faultsOf('packs', (line, ofCatalogue) => {
    const { packs, packSize } = line
    const size = packSize ?? ofCatalogue.packSize
    return (
      typeof packs === 'number' &&
      packs * size !== piecesOf(line, ofCatalogue) &&
      `must agree with the quantity: ${packs} packs of ${size} are ${packs * size} pieces, not ${line.quantity}`
    )
  })
  if (mismatched.length > 0) {
    throw unprocessable(
      'packs_mismatch',
      'Packs and quantity of some lines do not agree. Correct one of them.',
      mismatched,
    )
  }
  const tooMany = faultsOf(
    'packs',
    (line, ofCatalogue) =>
      piecesOf(line, ofCatalogue) > maxQuantity && 'must be at most 1 000 000 000 pieces',
  )
  if (tooMany.length > 0) throw badRequest(tooMany)
}

/** Warnings for the lines with a quantity that the supplier does not accept. */
export const warningsOf = (lines: readonly (Packaging & { quantity: number })[]): OrderWarning[] =>
  lines.flatMap(({ quantity, ...packaging }, index) => {
    const message = quantity === 0 ? undefined : warningOf(quantity, packaging)
    return message === undefined ? [] : [{ path: `/lineItems/${index}/quantity`, message }]
  })

/** Says which rule of the supplier a quantity breaks, and the next quantity that it accepts; undefined when none. */
function warningOf(quantity: number, packaging: Packaging): string | undefined {
  const { packSize, minimumQuantity, quantityMultiple } = packaging
  const next = roundUpToPacks(quantity, packaging)
  if (next === quantity) return undefined
  const rules = [
    ...(quantity % packSize === 0 ? [] : [`packs of ${packSize}`]),
    ...(quantity % quantityMultiple === 0 ? [] : [`multiples of ${quantityMultiple}`]),
    ...(quantity >= (minimumQuantity ?? 0) ? [] : [`at least ${minimumQuantity}`]),
  ]
  return `The supplier sells ${rules.join(', ')}: ${next} instead of ${quantity} would be accepted.`
}
