import { readNumber } from '../../../components/forms/read-number.ts'

const minBarcodeLength = 8
const maxCounted = 999_999_999

/** Null of an empty text; undefined of one that is not a number. Letters are never a currency: ABC12 is a SKU. */
export function readCounted(text: string): number | null | undefined {
  if (text.trim() === '') return null
  if (!/^\d[\d\s.,'’]*$/.test(text.trim())) return undefined
  // without decimals, each mark separates thousands in every locale
  const read = readNumber(text, { decimalMark: '.', max: maxCounted })
  return 'number' in read ? read.number : undefined
}

/** Whether a text that Enter ends came from a scanner. */
export const isScan = (text: string): boolean =>
  readCounted(text) === undefined || text.length >= minBarcodeLength
