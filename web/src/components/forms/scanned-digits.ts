/** Barcodes have at least 8 digits, and a quantity never has. */
const barcode = /^\d{8,}$/

/** A scanner types without a pause, and a person pauses before a scan. */
const burstMs = 200

type Quantity = number | ''

/** The quantity before the characters that came last without a pause, and when the last of them came, in ms. */
export type Burst = { before: Quantity; at: number }

/** The burst after one more character; `value` is the quantity before it. */
export const nextBurst = ({ before, at }: Burst, value: Quantity, now: number): Burst => ({
  before: now - at > burstMs ? value : before,
  at: now,
})

export const isBarcode = (text: string): boolean => barcode.test(text.trim())

/** The quantity before a barcode was scanned into its field: a scan behind a typed quantity takes only its own digits back. */
export function withoutBarcode(text: string, { before }: Burst, atFocus: Quantity): Quantity {
  const isBehind = !Number.isNaN(before) && text.startsWith(String(before))
  return isBehind && barcode.test(text.slice(String(before).length)) ? before : atFocus
}
