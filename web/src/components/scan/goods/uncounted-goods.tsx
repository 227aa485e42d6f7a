import { useFormat } from '../../shop/format.ts'
import { type ScanAction, UnresolvedScans } from '../unresolved-scans.tsx'
import type { GoodsDraft } from './draft.ts'
import { type GoodsScan, type GoodsState, goodsRows } from './state.ts'
import { adviceOf } from './words.ts'

type Props = {
  draft: GoodsDraft
  state: GoodsState
  /** Whether more than expected may arrive. */
  canExceed: boolean
  /** The way to the document that expects the product. */
  openElsewhere?: (elsewhere: { id: number; name: string }) => void
}

/** The scans of goods that are not counted, each with its reason. */
export function UncountedGoods({ draft, state, canExceed, openElsewhere }: Props) {
  const format = useFormat()
  const rows = goodsRows(state)

  function actionsOf(scan: GoodsScan): ScanAction[] {
    const { code, fault, found, times, elsewhere } = scan
    if (fault === 'several') {
      return found.map((target) => ({ name: target.title, onClick: () => draft.choose(scan, target) }))
    }
    if (fault === 'complete') {
      if (!canExceed) return []
      return found.map((target) => ({
        name: `Count ${format.many(target.pieces * times, 'piece')}`,
        onClick: () => draft.countOn(code, target),
      }))
    }
    if (elsewhere && openElsewhere) {
      return [{ name: `Open ${elsewhere.name}`, onClick: () => openElsewhere(elsewhere) }]
    }
    return fault ? [{ name: 'Retry', onClick: () => draft.lookUpAgain(code) }] : []
  }

  return (
    <UnresolvedScans
      title="Scanned but not counted"
      state={state}
      adviceOf={(scan) => adviceOf(scan, rows, canExceed, format)}
      actionsOf={actionsOf}
      onRemove={draft.dropScan}
    />
  )
}
