import type { LabelCount, LabelFormat, LabelQuery } from '../../../../shared/schemas/labels.ts'

type FormatName = LabelFormat['format']

const formatNames: Record<FormatName, string> = {
  '62x29': 'Roll, 62 × 29 mm',
  '57x32': 'Roll, 57 × 32 mm',
  '50x25': 'Roll, 50 × 25 mm',
  'a4-3x8': 'A4 sheet, 3 × 8 labels',
}

export const formatOptions = Object.entries(formatNames).map(([value, label]) => ({
  value: value as FormatName,
  label,
}))

export const isSheet = (format: FormatName) => format === 'a4-3x8'

/** What the labels are of. */
export type LabelSource = Pick<LabelQuery, 'receiptId' | 'purchaseOrderId' | 'locationId'> & {
  variantIds?: readonly string[]
  /** The labels of each variant, in the order of `variantIds`. */
  quantities?: readonly number[]
  /** The receipt has no order, so nothing of it was ordered. */
  isWithoutOrder?: boolean
}

export type CopiesName = 'received' | 'ordered' | 'stock' | 'number' | 'chosen'

export const copiesNames: Record<CopiesName, string> = {
  received: 'One for each received piece',
  ordered: 'One for each ordered piece',
  stock: 'One for each piece in stock',
  number: 'A number for each product',
  chosen: 'The number of each product in the list',
}

/** The default comes first. */
export const copiesOf = ({
  receiptId,
  purchaseOrderId,
  isWithoutOrder,
  quantities,
}: LabelSource): CopiesName[] => {
  if (quantities) return ['chosen', 'stock']
  if (isWithoutOrder) return ['received', 'stock', 'number']
  if (receiptId !== undefined) return ['received', 'ordered', 'stock', 'number']
  return purchaseOrderId !== undefined ? ['ordered', 'received', 'stock', 'number'] : ['number', 'stock']
}

export type LabelChoices = {
  format: FormatName
  copies: CopiesName
  /** Empty or NaN while no valid number is typed. */
  number: number | ''
  startAt: number | ''
  skipWithoutCode: boolean
}

/** Files of one request for labels. */
export const maxParts = 100

/** The files of labels that do not fit into one, as ["1–1,000", "1,001–1,500"] by their first label. */
export const partsOf = ({ total, perFile }: LabelCount, count: (value: number) => string) =>
  Array.from({ length: Math.min(Math.ceil(total / perFile), maxParts) }, (_, at) => {
    const from = at * perFile + 1
    return { from, name: `${count(from)}–${count(Math.min(from + perFile - 1, total))}` }
  })

/** Whether the numbers that the labels need are valid. */
export const isPrintable = ({ format, copies, number, startAt }: LabelChoices): boolean =>
  (copies !== 'number' || Number(number) >= 1) && (!isSheet(format) || Number(startAt) >= 1)

export function queryOf(source: LabelSource, choices: LabelChoices): LabelQuery {
  const { variantIds, quantities, isWithoutOrder: _, ...named } = source
  const { format, startAt } = choices
  return {
    ...named,
    // numbers instead of whole ids keep the address short
    ...(variantIds && { variantIds: variantIds.map((id) => id.slice(id.lastIndexOf('/') + 1)).join() }),
    copies: copiesIn(choices, quantities),
    format,
    ...(isSheet(format) && Number(startAt) > 1 && { startAt: Number(startAt) }),
    ...(choices.skipWithoutCode && { skipWithoutCode: true }),
  }
}

/** The address of a file; `from` is its first label, when there are several files. */
export function pathOf(kind: 'pdf' | 'zpl', query: LabelQuery, from?: number): string {
  const given = Object.entries({ ...query, ...(from !== undefined && { from }) })
  return `/labels.${kind}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

function copiesIn({ copies, number }: LabelChoices, quantities: readonly number[] = []): string {
  if (copies === 'chosen') return quantities.join()
  return copies === 'number' ? String(number) : copies
}
