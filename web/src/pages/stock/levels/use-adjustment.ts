import type { AdjustedStock } from '../../../../../shared/schemas/stock-adjustments.ts'
import type { StockLevel } from '../../../../../shared/schemas/stock-levels.ts'
import { useChange } from '../../../api/queries.ts'
import { notifyDone, notifyRefused } from '../../../components/feedback/notify.ts'
import { notifyUndoable } from '../../../components/feedback/notify-undo.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { useSettings } from '../../../components/shop/settings.tsx'
import { type AdjustMode, changeOf, type LevelListQuery, showChanges } from './adjustment.ts'

export type Adjustment = {
  mode: AdjustMode
  /** The number to set is what lies on the shelf. */
  isOnHand: boolean
  number: number
  reason: string
  allowNegative: boolean
}

type Callbacks = { onDone: () => void; onRefused: (error: unknown) => void }

/** Adjusts a level. The list shows the change before the API answers, and a notification offers to undo it. */
export function useAdjustment(level: StockLevel, list: LevelListQuery, { onDone, onRefused }: Callbacks) {
  const { count } = useFormat()
  const { adjustmentReasonRequired } = useSettings()
  const levelName = `${level.title} at ${level.locationName}`
  const undo = useChange('POST /stock-levels/adjust', {
    optimistic: ({ body }) => showChanges(list, body.adjustments),
    onDone: ({ levels: [result] }) =>
      notifyDone(`Undone: ${levelName} has ${count(result?.newQuantity ?? 0)}.`),
    onRefused: notifyRefused,
  })
  const offerUndo = ({ levels: [result] }: AdjustedStock, reason: string) => {
    onDone()
    if (!result) return notifyDone(`${levelName} already had this quantity`)
    const { variantId, locationId, previousQuantity, newQuantity } = result
    // an undo reverses this change only, since there may have been sales after it
    const delta = previousQuantity - newQuantity
    const words = reason === '' ? 'Undone' : `Undone: ${reason}`
    // a shop that requires reasons accepts only those of its list
    const undoReason = adjustmentReasonRequired ? reason : words
    notifyUndoable(`${levelName}: ${count(previousQuantity)} → ${count(newQuantity)}.`, () =>
      undo.mutate({
        body: { adjustments: [{ variantId, locationId, delta, reason: undoReason.slice(0, 200) }] },
      }),
    )
  }
  const add = useChange('POST /stock-levels/adjust', {
    isForm: true,
    optimistic: ({ body }) => showChanges(list, body.adjustments),
    onDone: (answer, { body }) => offerUndo(answer, body.adjustments[0]?.reason ?? ''),
    onRefused,
  })
  const set = useChange('PUT /stock-levels/bulk', {
    waitsForReading: true,
    optimistic: ({ body }) => showChanges(list, body.adjustments, body.basis),
    onDone: (answer, { body }) => offerUndo(answer, body.adjustments[0]?.reason ?? ''),
    onRefused,
  })
  return {
    error: add.error ?? set.error,
    isPending: add.isPending || set.isPending,
    isSuccess: add.isSuccess || set.isSuccess,
    reset: () => {
      add.reset()
      set.reset()
    },
    adjust: ({ mode, isOnHand, number, reason, allowNegative }: Adjustment) => {
      const change = changeOf(level, mode, number)
      const options = allowNegative ? { allowNegative } : {}
      if ('delta' in change) add.mutate({ body: { adjustments: [{ ...change, reason }], ...options } })
      else {
        const basis = isOnHand ? ('on_hand' as const) : ('available' as const)
        set.mutate({ body: { adjustments: [{ ...change, reason }], basis, ...options } })
      }
    },
  }
}
