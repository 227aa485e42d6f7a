import { readNumber } from '../../../components/forms/read-number.ts'

export type PastedLine = { sku: string; quantity: number; costPrice: number | '' }
export type Pasted = {
  lines: PastedLine[] /** The text of rows that could not be parsed. */
  unread: string[]
}

/**
 * Parses rows copied from a spreadsheet: SKU or barcode, quantity and optional cost, separated by tabs, semicolons or commas. The
 * decimal mark is that of the merchant's locale.
 */
export function readPasted(text: string, decimalMark: string): Pasted {
  const rows = text.split(/\r?\n/).filter((row) => row.trim() !== '')
  const separator = ['\t', ';', ','].find((sign) => rows.some((row) => row.includes(sign))) ?? '\t'
  const lines: PastedLine[] = []
  const unread: string[] = []
  for (const [index, row] of rows.entries()) {
    const [sku = '', quantity = '', cost = ''] = row
      .split(separator)
      .map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'))
    const pieces = readNumber(quantity, { decimalMark, min: 1 })
    const unitCost = cost === '' ? { number: '' as const } : readNumber(cost, { decimalMark, decimals: 4 })
    if (sku !== '' && 'number' in pieces && 'number' in unitCost) {
      lines.push({ sku, quantity: pieces.number, costPrice: unitCost.number })
    } else if (index > 0 || rows.length === 1 || /\d/.test(quantity + cost)) unread.push(row)
    // otherwise the first row is a header
  }
  return { lines, unread }
}
