type PastedLine = { sku: string; quantity: number; costPrice: number | '' }
export type Pasted = {
  lines: PastedLine[] /** The text of rows that could not be parsed. */
  unread: string[]
}

/** Parses rows copied from a spreadsheet: SKU, quantity and optional cost, separated by tabs, semicolons or commas. */
export function readPasted(text: string): Pasted {
  const rows = text.split(/\r?\n/).filter((row) => row.trim() !== '')
  const separator = ['\t', ';', ','].find((sign) => rows.some((row) => row.includes(sign))) ?? '\t'
  const lines: PastedLine[] = []
  const unread: string[] = []
  for (const [index, row] of rows.entries()) {
    const [sku = '', quantity = '', cost = ''] = row
      .split(separator)
      .map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'))
    const pieces = readNumber(quantity)
    const costPrice = cost === '' ? '' : readNumber(cost)
    if (
      sku !== '' &&
      pieces !== undefined &&
      Number.isInteger(pieces) &&
      pieces > 0 &&
      costPrice !== undefined
    ) {
      lines.push({ sku, quantity: pieces, costPrice })
    } else if (index > 0 || pieces !== undefined) unread.push(row)
    // otherwise the first row is a header
  }
  return { lines, unread }
}

/** Parses a number in any locale: 1,234.50 or 1.234,50, with or without a currency symbol. */
function readNumber(text: string): number | undefined {
  const digits = text.replace(/[^\d.,-]/g, '')
  if (!/\d/.test(digits)) return undefined
  const mark = /[.,](?=\d*$)/.exec(digits)
  // a single separator before three digits separates thousands: 1,000 is a thousand, but 0.125 is a decimal
  const isDecimal =
    mark && !(digits.match(/[.,]/g)?.length === 1 && /[.,]\d{3}$/.test(digits) && !/^0/.test(digits))
  const whole = (isDecimal ? digits.slice(0, mark.index) : digits).replace(/[.,]/g, '')
  const number = Number(isDecimal ? `${whole}.${digits.slice(mark.index + 1)}` : whole)
  return Number.isFinite(number) ? number : undefined
}
