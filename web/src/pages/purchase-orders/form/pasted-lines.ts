/** A row of a spreadsheet: what somebody wrote, read as SKU, quantity and cost. */
type PastedLine = { sku: string; quantity: number; costPrice: number | '' }
export type Pasted = { lines: PastedLine[] /** Rows that cannot be read, as they are. */; unread: string[] }

/** Reads rows copied from a spreadsheet: SKU, quantity and, where it is known, cost, parted by tabs, semicolons or commas. */
export function readPasted(text: string): Pasted {
  const rows = text.split(/\r?\n/).filter((row) => row.trim() !== '')
  const separator = ['\t', ';', ','].find((sign) => rows.some((row) => row.includes(sign))) ?? '\t'
  const lines: PastedLine[] = []
  const unread: string[] = []
  for (const [at, row] of rows.entries()) {
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
    } else if (at > 0 || pieces !== undefined) unread.push(row)
    // else the first row names the columns
  }
  return { lines, unread }
}

/** A number as people write it, here or there: 1,234.50 or 1.234,50, with or without a currency. */
function readNumber(text: string): number | undefined {
  const digits = text.replace(/[^\d.,-]/g, '')
  if (!/\d/.test(digits)) return undefined
  const mark = /[.,](?=\d*$)/.exec(digits)
  // one mark with three digits after it parts thousands: 1,000 pieces are a thousand
  const isDecimal =
    mark && !(digits.match(/[.,]/g)?.length === 1 && /[.,]\d{3}$/.test(digits) && !/^0/.test(digits))
  const whole = (isDecimal ? digits.slice(0, mark.index) : digits).replace(/[.,]/g, '')
  const number = Number(isDecimal ? `${whole}.${digits.slice(mark.index + 1)}` : whole)
  return Number.isFinite(number) ? number : undefined
}
