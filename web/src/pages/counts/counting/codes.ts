/** What a scan is compared by: case does not matter, nor zeros that printers and scanners put before a barcode. */
export function codeOf(text: string): string {
  const code = text.trim().toLowerCase()
  return /^\d{8,14}$/.test(code) ? code.replace(/^0+(?=\d)/, '') : code
}

/** Whether a product carries a code, as its barcode or its SKU. */
export const carries = ({ sku, barcode }: { sku: string; barcode: string }, code: string): boolean =>
  code !== '' && (codeOf(barcode) === code || codeOf(sku) === code)
