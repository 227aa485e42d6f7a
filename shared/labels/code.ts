import { createRequire } from 'node:module'

/** A code without its size on a label. `bars` as in `LabelCode`. */
export type Code = { kind: 'ean13' | 'code128'; text: string; bars: string }

/** More characters fit no label. */
const maxCharacters = 60
const printable = /^[\x20-\x7e]+$/

/**
 * The code of a variant: EAN-13 of its barcode when that is a valid EAN-13 or UPC-A, else Code 128 of the barcode, else
 * Code 128 of the SKU. Returns the reason when it has none.
 */
export function codeOf({ barcode, sku }: { barcode: string; sku: string }): Code | string {
  const given = [barcode.trim(), sku.trim()].filter((text) => text !== '')
  if (given.length === 0) return 'has neither a barcode nor a SKU'
  const text = given.find((candidate) => printable.test(candidate))
  if (text === undefined)
    return 'has a code with characters that a barcode cannot hold; use letters, digits and signs of ASCII'
  const ean = text === barcode.trim() ? eanOf(text) : undefined
  if (ean) return { kind: 'ean13', text: ean, bars: encode('ean13', ean) }
  if (text.length > maxCharacters) return tooLong(text)
  return { kind: 'code128', text, bars: encode('code128', text) }
}

export const tooLong = (text: string) =>
  `has a code of ${text.length} characters, which is too long for this label; choose a wider one, or a shorter code`

/** The 13 digits of an EAN-13, or of a UPC-A with a zero before it, when its check digit is right. */
function eanOf(barcode: string): string | undefined {
  if (!/^\d{12,13}$/.test(barcode)) return undefined
  const digits = barcode.padStart(13, '0')
  return Number(digits[12]) === checkDigit(digits.slice(0, 12)) ? digits : undefined
}

/** The last digit of an EAN-13: digits weigh 1 and 3 in turn, and the sum with the check digit is a multiple of 10. */
function checkDigit(first12: string): number {
  const sum = [...first12].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0)
  return (10 - (sum % 10)) % 10
}

/** The types of the package lack this form of `raw`, which returns the widths instead of a picture. */
type Bwip = { raw: (symbology: string, text: string) => [{ sbs: number[] }] }

const require = createRequire(import.meta.url)

/** Loads the package at the first code: its source has 2 MB, and most processes never encode one. */
const encode = (symbology: Code['kind'], text: string): string => {
  const { raw }: Bwip = require('bwip-js/node')
  return raw(symbology, text)[0].sbs.join('')
}

/** The width of a code in modules. */
export const modulesOf = ({ bars }: Pick<Code, 'bars'>): number =>
  [...bars].reduce((total, width) => total + Number(width), 0)
