import type { StockTransfer } from '../../../../../shared/schemas/stock-transfers.ts'
import { byBin } from '../../../components/bins/by-bin.ts'
import type { GoodsDocument, GoodsLine } from '../../../components/scan/goods/state.ts'
import { linesByVariant } from '../variant-lines.ts'
import type { TransferSnapshot } from './local-transfer.ts'
import type { ScanStep } from './scan-steps.ts'

/**
 * The pieces of each product that can be scanned, in the order of bins. A product without such pieces keeps its line while it has
 * scans (`scanned`), so that the merchant can correct them; `before` has its name if it is not on the transfer.
 */
export function documentOf<B>(
  { piecesOf, binOf, words }: ScanStep<B>,
  { transfer, codes }: TransferSnapshot,
  scanned: ReadonlySet<string>,
  before: readonly GoodsLine[] = [],
): GoodsDocument {
  const lines = linesByVariant(transfer)
  const left = new Map(lines.map((line) => [line.variantId, isOpen(transfer) ? piecesOf(line) : 0]))
  const leftOf = (variantId: string) => left.get(variantId) ?? 0
  const shown = lines.filter(({ variantId }) => leftOf(variantId) > 0 || scanned.has(variantId))
  const removed = before.filter(({ lineId }) => scanned.has(lineId) && !left.has(lineId))
  return {
    lines: [
      ...byBin(shown, binOf).map((line): GoodsLine => {
        const { variantId, sku, barcode, title } = line
        const pieces = leftOf(variantId)
        return {
          ...{ lineId: variantId, variantId, sku, barcode, title, bin: binOf(line) },
          ...{ outstanding: pieces, allowed: pieces },
          ...(pieces === 0 && { note: words.gone }),
        }
      }),
      ...removed.map((line) => ({ ...line, outstanding: 0, allowed: 0, note: words.gone })),
    ],
    codes: codes
      .filter(({ variantId }) => leftOf(variantId) > 0)
      .map(({ code, kind, variantId, packSize }) => ({ code, kind, lineId: variantId, pieces: packSize })),
  }
}

const isOpen = ({ status }: StockTransfer) => status !== 'completed' && status !== 'cancelled'
