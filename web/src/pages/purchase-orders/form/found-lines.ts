import type { VariantMatches } from '../../../../../shared/schemas/variants.ts'
import type { AddedLine } from './added-lines.ts'
import type { Pasted, PastedLine } from './pasted-lines.ts'

/** What the API finds for one SKU or barcode. */
export type Match = VariantMatches[number]

/** Rows with a SKU or barcode of several products, and the product that the merchant chose. */
export type SameSku = { match: Match; lines: readonly PastedLine[]; variantId: string | null }

type Sorted = { decided: AddedLine[]; unknown: PastedLine[]; undecided: SameSku[] }

/**
 * Sorts pasted rows by what was found, with the rows of before that wait for a choice: `decided` become lines of the order,
 * `unknown` stay in the field, and of each of `undecided` the merchant chooses the product.
 */
export function sortFound(
  pasted: Pick<Pasted, 'lines'>,
  found: ReadonlyMap<string, Match>,
  same: readonly SameSku[],
): Sorted {
  const matchOf = ({ sku }: PastedLine) => found.get(sku)
  const chosenOf = ({ match, variantId }: SameSku) =>
    match.variants.find((variant) => variant.variantId === variantId)
  const open = same.filter(({ variantId }) => variantId === null)
  return {
    decided: [
      ...same.flatMap((one) => addedTo(one.lines, chosenOf(one))),
      ...pasted.lines.flatMap((line) => addedTo([line], onlyOne(matchOf(line)))),
    ],
    unknown: pasted.lines.filter((line) => !matchOf(line)?.count),
    undecided: sameIn(
      [...open.flatMap(({ lines }) => lines), ...pasted.lines],
      new Map([...open.map(({ match }) => [match.code, match] as const), ...found]),
    ),
  }
}

const onlyOne = (match: Match | undefined) => (match?.count === 1 ? match.variants[0] : undefined)

const addedTo = (
  lines: readonly PastedLine[],
  variant: Match['variants'][number] | undefined,
): AddedLine[] => (variant ? lines.map(({ quantity, costPrice }) => ({ variant, quantity, costPrice })) : [])

/** The rows with a SKU of several products, by SKU. */
const sameIn = (lines: readonly PastedLine[], found: ReadonlyMap<string, Match>): SameSku[] =>
  [...found.values()]
    .filter(({ count }) => count > 1)
    .map((match) => ({ match, lines: lines.filter(({ sku }) => sku === match.code), variantId: null }))
