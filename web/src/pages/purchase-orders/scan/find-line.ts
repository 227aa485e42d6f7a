import { ApiError } from '../../../api/api-error.ts'
import { request } from '../../../api/request.ts'
import type { GoodsResolution } from '../../../components/scan/goods/draft.ts'
import { type GoodsDocument, targetOf } from '../../../components/scan/goods/state.ts'

/** Asks the API about a code that the device does not know: it may be on another order. */
export async function findLine(id: number, { lines }: GoodsDocument, code: string): Promise<GoodsResolution> {
  try {
    const { lineItemId, packSize } = await request('GET /purchase-orders/:id/scan', {
      params: { id },
      query: { code },
    })
    const line = lines.find(({ lineId }) => lineId === String(lineItemId))
    if (line) return { product: targetOf(line, packSize), pieces: packSize }
    return {
      fault: 'unknown',
      found: [],
      message: 'The order has changed. Open this page again, then scan it.',
    }
  } catch (error) {
    if (!(error instanceof ApiError) || error.isTransient || error.status === 401) throw error
    const [detail] = error.details
    if (error.code === 'on_other_order' && detail?.purchaseOrderId && detail.poNumber) {
      const elsewhere = { id: detail.purchaseOrderId, name: detail.poNumber }
      return { fault: 'other', found: [], message: error.message, elsewhere }
    }
    const line = lines.find(({ lineId }) => lineId === String(detail?.lineItemId))
    if (error.code === 'complete' && line) {
      return { fault: 'complete', found: [targetOf(line, 1)], tone: 'over' }
    }
    return { fault: 'unknown', found: [], message: error.message }
  }
}
