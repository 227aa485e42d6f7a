import type { PurchaseOrderDocument } from '../../shared/schemas/order-document.ts'
import { makeOrder } from '../../test/shared/pdf/orders.ts'

const kinds = [
  'Cotton T-shirt',
  'Walnut cutting board',
  'Enamel mug, 350 ml',
  'Wool socks',
  'Linen tea towel',
]
const colours = ['black', 'ochre', 'off-white', 'bottle green', 'navy', 'terracotta', 'grey melange']
/** Titles in other scripts than Latin, as some catalogues have them. */
const nonLatinTitles = [
  'コットンしゃつ、ブラック',
  '纯棉长袖衬衫',
  'Хлопковая футболка',
  'Ελληνικό ελαιόλαδο',
]

/** A purchase order of `lineCount` lines. All lines and all orders differ. */
export function makeOrderDocument(
  number: number,
  { lineCount = 50, isLatin = true }: { lineCount?: number; isLatin?: boolean } = {},
): PurchaseOrderDocument {
  const lines = Array.from({ length: lineCount }, (_, at) => {
    const kind =
      isLatin || at % 10 > 0 ? kinds[at % kinds.length] : nonLatinTitles[(at / 10) % nonLatinTitles.length]
    const quantity = 1 + ((number + at * 7) % 48)
    const costPrice = 2 + ((number * 13 + at * 31) % 4000) / 100
    return {
      sku: `${(kind ?? '').slice(0, 3).toUpperCase()}-${1000 + number}-${at}`,
      title: `${kind}, ${colours[(number + at) % colours.length]}`,
      quantity,
      costPrice,
      lineTotal: Math.round(quantity * costPrice * 100) / 100,
    }
  })
  const subtotal = Math.round(lines.reduce((sum, { lineTotal }) => sum + lineTotal * 100, 0)) / 100
  return makeOrder({
    poNumber: `PO-${String(number).padStart(5, '0')}`,
    lines,
    subtotal,
    tax: 98.76,
    total: Math.round((subtotal + 98.76) * 100) / 100,
    supplierNotes: 'Deliver between 8:00 and 12:00. Ring at the gate.',
  })
}
