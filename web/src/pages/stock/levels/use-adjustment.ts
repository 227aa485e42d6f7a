import type { AdjustedStock } from '../../../../../shared/schemas/stock-adjustments.ts'
import type { StockLevel } from '../../../../../shared/schemas/stock-levels.ts'
import { useChange } from '../../../api/queries.ts'
import { notifyDone, notifyRefused } from '../../../components/feedback/notify.ts'
import { notifyUndoable } from '../../../components/feedback/notify-undo.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { type LevelListing, moveOf, showMoves, type Way } from './adjustment.ts'

export type Adjustment = { way: Way; number: number; reason: string; allowNegative: boolean }

type Ends = { onDone: () => void; onRefused: (error: unknown) => void }

/** Changes a level by hand: shown in the list at once, taken back when it is refused, and to be undone for a while. */
export function useAdjusting(level: StockLevel, list: LevelListing, { onDone, onRefused }: Ends) {
  const { count } = useFormat()
  const place = `${level.title} at ${level.locationName}`
  const undo = useChange('POST /stock-levels/adjust', {
    shows: ({ body }) => showMoves(list, body.adjustments),
    onDone: ({ levels: [now] }) => notifyDone(`Undone: ${place} has ${count(now?.newQuantity ?? 0)}.`),
    onRefused: notifyRefused,
  })
  const offerUndo = ({ levels: [now] }: AdjustedStock, reason: string) => {
    onDone()
    if (!now) return notifyDone(`${place} was so already.`)
    const { variantId, locationId, previousQuantity, newQuantity } = now
    // what this change itself has moved: meanwhile there may have been sales
    const delta = previousQuantity - newQuantity
    const words = reason === '' ? 'Undone' : `Undone: ${reason}`
    notifyUndoable(`${place}: ${count(previousQuantity)} → ${count(newQuantity)}.`, () =>
      undo.mutate({ body: { adjustments: [{ variantId, locationId, delta, reason: words.slice(0, 200) }] } }),
    )
  }
  const move = useChange('POST /stock-levels/adjust', {
    shows: ({ body }) => showMoves(list, body.adjustments),
    onDone: (answer, { body }) => offerUndo(answer, body.adjustments[0]?.reason ?? ''),
    onRefused,
  })
  const set = useChange('PUT /stock-levels/bulk', {
    shows: ({ body }) => showMoves(list, body.adjustments),
    onDone: (answer, { body }) => offerUndo(answer, body.adjustments[0]?.reason ?? ''),
    onRefused,
  })
  return {
    error: move.error ?? set.error,
    isPending: move.isPending || set.isPending,
    isSuccess: move.isSuccess || set.isSuccess,
    forget: () => {
      move.reset()
      set.reset()
    },
    adjust: ({ way, number, reason, allowNegative }: Adjustment) => {
      const one = moveOf(level, way, number)
      const options = allowNegative ? { allowNegative } : {}
      if ('delta' in one) move.mutate({ body: { adjustments: [{ ...one, reason }], ...options } })
      else set.mutate({ body: { adjustments: [{ ...one, reason }], ...options } })
    },
  }
}
