/** The form in which codes are compared, as `scan_code` of the database: lower case, and barcodes without leading zeros. */
export function codeOf(text: string): string {
  const code = text.trim().toLowerCase()
  return /^\d{8,14}$/.test(code) ? code.replace(/^0+(?=\d)/, '') : code
}

export const hasCode = ({ sku, barcode }: { sku: string; barcode: string }, code: string): boolean =>
  code !== '' && (codeOf(barcode) === code || codeOf(sku) === code)
