import { Text } from '@mantine/core'
import type { RefObject } from 'react'
import { useFormat } from '../../shop/format.ts'
import { ScanAnswer, WrongCode } from '../scan-answer.tsx'
import { ScanBar } from '../scan-bar.tsx'
import { scrollToUnresolved } from '../unresolved-scans.tsx'
import type { GoodsDraft } from './draft.ts'
import { type GoodsRow, type GoodsState, goodsRows } from './state.ts'
import { fullHintOf, hintOf } from './words.ts'

type Props = {
  draft: GoodsDraft
  state: GoodsState
  field: RefObject<HTMLInputElement | null>
  /** The scans stay on this device until the merchant sends them. */
  isLocal?: boolean
}

/** The scan field of goods, with the last scan and the pieces that are counted. */
export function GoodsBar({ draft, state, field, isLocal = false }: Props) {
  const { count } = useFormat()
  const rows = goodsRows(state)
  const arrived = rows.reduce((sum, { accepted, rejected }) => sum + accepted + rejected, 0)
  const outstanding = rows.reduce((sum, row) => sum + row.outstanding, 0)
  return (
    <ScanBar
      onScan={draft.scan}
      field={field}
      state={state}
      last={<LastArrived draft={draft} state={state} rows={rows} />}
      isLocal={isLocal}
      progress={`${count(arrived)} of ${count(outstanding)} pieces`}
    />
  )
}

function LastArrived({
  draft,
  state,
  rows,
}: Omit<Props, 'field' | 'isLocal'> & { rows: readonly GoodsRow[] }) {
  const { count, many } = useFormat()
  const { last, scans } = state
  const unresolved = scans.find(({ code }) => code === state.unresolvedCode)
  const pending = scans.find(({ fault }) => fault === null)
  if (pending) {
    return state.lookupFailure === 'none' ? (
      <Text c="dimmed">Looking up {pending.code} …</Text>
    ) : (
      <WrongCode text={`${pending.code} is kept for later`} />
    )
  }
  if (unresolved?.fault === 'complete') {
    const [target] = unresolved.found
    const full = rows.find(({ lineId }) => lineId === target?.lineId)
    return (
      <ScanAnswer
        tone="over"
        title={target?.title ?? unresolved.code}
        hint={fullHintOf(full)}
        action={{ name: 'Decide', onClick: scrollToUnresolved }}
      />
    )
  }
  if (unresolved?.elsewhere) return <WrongCode text={`On ${unresolved.elsewhere.name} instead`} />
  if (unresolved) return <WrongCode text={`${unresolved.code} is not counted`} />
  const row = last && rows.find(({ lineId }) => lineId === last.product.lineId)
  if (!last || !row) return <Text c="dimmed">Each scan adds one piece, or one pack.</Text>
  return (
    <ScanAnswer
      tone={state.signal?.tone ?? null}
      title={row.title}
      number={count(row.accepted)}
      hint={hintOf(row, { count })}
      action={
        row.accepted === last.counted
          ? {
              name: last.product.pieces > 1 ? `Undo ${many(last.product.pieces, 'piece')}` : 'Undo scan',
              onClick: draft.undoScan,
            }
          : undefined
      }
    />
  )
}
