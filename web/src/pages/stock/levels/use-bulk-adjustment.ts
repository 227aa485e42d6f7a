import type { AdjustedStock } from '../../../../../shared/schemas/stock-adjustments.ts'
import type { StockLevel } from '../../../../../shared/schemas/stock-levels.ts'
import { useChange } from '../../../api/queries.ts'
import { notifyDone, notifyRefused } from '../../../components/feedback/notify.ts'
import { notifyUndoable } from '../../../components/feedback/notify-undo.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { useSettings } from '../../../components/shop/settings.tsx'

type Change = {
  levels: readonly StockLevel[]
  kind: 'set' | 'add' | 'remove'
  basis: 'available' | 'on_hand'
  number: number
  reason: string
  allowNegative: boolean
}

/** Changes many levels in one request: all or none. A notification sums up the change and offers to undo it. */
export function useBulkAdjustment({ onDone }: { onDone: () => void }) {
  const { many, change: signed } = useFormat()
  const { adjustmentReasonRequired } = useSettings()
  const undo = useChange('POST /stock-levels/adjust', {
    onDone: ({ levels }) => notifyDone(`Undone: ${many(levels.length, 'stock level')} changed back.`),
    onRefused: notifyRefused,
  })
  const offerUndo = ({ levels }: AdjustedStock, reason: string) => {
    onDone()
    if (levels.length === 0) return notifyDone('All of them already had this quantity')
    const deltas = levels.map(({ previousQuantity, newQuantity }) => newQuantity - previousQuantity)
    const added = deltas.reduce((sum, delta) => sum + Math.max(delta, 0), 0)
    const removed = deltas.reduce((sum, delta) => sum + Math.min(delta, 0), 0)
    const pieces = [added, removed].filter((sum) => sum !== 0).map(signed)
    // a shop that requires reasons accepts only those of its list
    const words = adjustmentReasonRequired ? reason : reason === '' ? 'Undone' : `Undone: ${reason}`
    notifyUndoable(`${many(levels.length, 'stock level')} changed: ${pieces.join(', ')} pieces.`, () =>
      undo.mutate({
        body: {
          // an undo reverses this change only, since there may have been sales after it
          adjustments: levels.map(({ variantId, locationId }, at) => ({
            ...{ variantId, locationId, delta: -(deltas[at] ?? 0) },
            reason: words.slice(0, 200),
          })),
        },
      }),
    )
  }
  const set = useChange('PUT /stock-levels/bulk', {
    waitsForReading: true,
    onDone: (answer, { body }) => offerUndo(answer, body.adjustments[0]?.reason ?? ''),
  })
  const add = useChange('POST /stock-levels/adjust', {
    isForm: true,
    onDone: (answer, { body }) => offerUndo(answer, body.adjustments[0]?.reason ?? ''),
  })
  return {
    error: set.error ?? add.error,
    isPending: set.isPending || add.isPending,
    isSuccess: set.isSuccess || add.isSuccess,
    reset: () => {
      set.reset()
      add.reset()
    },
    save: ({ levels, kind, basis, number, reason, allowNegative }: Change) => {
      const keys = levels.map(({ variantId, locationId }) => ({ variantId, locationId, reason }))
      const options = allowNegative ? { allowNegative } : {}
      if (kind === 'set') {
        const adjustments = keys.map((key) => ({ ...key, quantity: number }))
        set.mutate({ body: { adjustments, basis, ...options } })
      } else {
        const delta = kind === 'add' ? number : -number
        add.mutate({ body: { adjustments: keys.map((key) => ({ ...key, delta })), ...options } })
      }
    },
  }
}
