import { readNumber } from '../../../components/forms/read-number.ts'

export type PastedLine = {
  sku: string
  quantity: number
  costPrice: number | ''
  /** The row as it was pasted. */
  text: string
}
export type Pasted = {
  lines: PastedLine[]
  /** The text of rows that could not be parsed. */
  unread: string[]
}

/**
 * Parses rows copied from a spreadsheet: SKU or barcode, quantity and optional cost, separated by tabs, semicolons or commas. Each
 * row has its own separator, since a merchant may correct one by hand. The decimal mark is that of the merchant's locale.
 */
export function readPasted(text: string, decimalMark: string): Pasted {
  const rows = text.split(/\r?\n/).filter((row) => row.trim() !== '')
  const lines: PastedLine[] = []
  const unread: string[] = []
  for (const [index, row] of rows.entries()) {
    const [sku = '', quantity = '', cost = '', fourth = ''] = cellsOf(row)
    const pieces = readNumber(quantity, { decimalMark, min: 1 })
    const unitCost = cost === '' ? { number: '' as const } : readNumber(cost, { decimalMark, decimals: 4 })
    // A-1,5,1,25 may be 5 pieces at 1.25: where commas are decimal marks, too, a fourth cell makes the cost ambiguous
    const isAmbiguous = decimalMark === ',' && separatorOf(row) === ',' && /^\d/.test(fourth)
    if (sku !== '' && 'number' in pieces && 'number' in unitCost && !isAmbiguous) {
      lines.push({ sku, quantity: pieces.number, costPrice: unitCost.number, text: row })
    } else if (index > 0 || rows.length === 1 || /\d/.test(quantity + cost)) unread.push(row)
    // otherwise the first row is a header
  }
  return { lines, unread }
}

const separatorOf = (row: string) => ['\t', ';', ','].find((sign) => row.includes(sign)) ?? '\t'

const cellsOf = (row: string) =>
  row.split(separatorOf(row)).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'))
