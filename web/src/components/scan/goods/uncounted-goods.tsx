import { useFormat } from '../../shop/format.ts'
import { type ScanAction, UnresolvedScans } from '../unresolved-scans.tsx'
import type { GoodsDraft } from './draft.ts'
import { type GoodsScan, type GoodsState, goodsRows, settledOf } from './state.ts'

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
  const { count, many } = useFormat()
  const rows = goodsRows(state)

  function adviceOf({ fault, found, message, times }: GoodsScan): string {
    if (fault === 'several') return 'Several products have this code. Choose one.'
    if (fault !== 'complete') return message ?? 'No product has this code. Put it aside.'
    const [target] = found
    const row = rows.find(({ lineId }) => lineId === target?.lineId)
    if (!target || !row) return 'This line is complete.'
    if (!canExceed) {
      const left = row.outstanding - settledOf(row)
      if (left <= 0) return `All pieces of ${target.title} are scanned. Put it aside.`
      const onlyLeft = `but only ${count(left)} of ${target.title} ${left === 1 ? 'is' : 'are'} left.`
      return target.pieces > left
        ? `This pack has ${many(target.pieces, 'piece')}, ${onlyLeft} Scan single pieces.`
        : `${many(target.pieces * times, 'piece')} were scanned, ${onlyLeft} Remove this scan, then scan what is left.`
    }
    const extra = row.accepted + target.pieces * times - row.outstanding
    return `${count(extra)} more than expected, with ${many(target.pieces * times, 'piece')} of ${target.title}. Put it aside, or count it.`
  }

  function actionsOf(scan: GoodsScan): ScanAction[] {
    const { code, fault, found, times, elsewhere } = scan
    if (fault === 'several') {
      return found.map((target) => ({ name: target.title, onClick: () => draft.choose(scan, target) }))
    }
    if (fault === 'complete') {
      if (!canExceed) return []
      return found.map((target) => ({
        name: `Count ${many(target.pieces * times, 'piece')}`,
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
      adviceOf={adviceOf}
      actionsOf={actionsOf}
      onRemove={draft.dropScan}
    />
  )
}
