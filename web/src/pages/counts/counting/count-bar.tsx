import { Text } from '@mantine/core'
import type { RefObject } from 'react'
import { ScanAnswer, WrongCode } from '../../../components/scan/scan-answer.tsx'
import { ScanBar } from '../../../components/scan/scan-bar.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import type { CountDraft } from '../offline/draft.ts'
import { type CountDraftState, numberOf, othersOf, rowsOf, totalOf } from '../offline/state.ts'

type Props = { draft: CountDraft; state: CountDraftState; field: RefObject<HTMLInputElement | null> }

/** The scan field of a count, with the product scanned last and the number of counted products. */
export function CountBar({ draft, state, field }: Props) {
  const { count } = useFormat()
  const rows = rowsOf(state)
  const done = rows.filter((row) => totalOf(row) !== null).length
  return (
    <ScanBar
      onScan={draft.scan}
      field={field}
      state={state}
      last={<LastCounted draft={draft} state={state} />}
      progress={`${count(done)} of ${count(rows.length)} counted`}
    />
  )
}

function LastCounted({ draft, state }: Omit<Props, 'field'>) {
  const { count, many } = useFormat()
  const { last, scans } = state
  const unresolved = scans.find(({ code }) => code === state.unresolvedCode)
  const pending = scans.find(({ fault }) => fault === null)
  if (pending) return <Text c="dimmed">Looking up {pending.code} …</Text>
  if (unresolved)
    return <WrongCode text={`${unresolved.found[0]?.title ?? unresolved.code} is not counted`} />
  if (!last) return <Text c="dimmed">Each scan adds one piece, or one pack.</Text>
  const counted = numberOf(state, last.product.variantId)
  const others = othersOf(state, last.product.variantId)
  const { pieces = 1 } = last.product
  // a pack, or several scans during the lookup
  const undone = (last.counted ?? 0) - (last.before ?? 0)
  const hints = [
    last.how === 'scanned' && pieces > 1 && `Pack of ${many(pieces, 'piece')}`,
    last.how === 'scanned' && state.signal?.tone === 'over' && 'More than expected',
  ]
  return (
    <ScanAnswer
      tone={last.how === 'scanned' ? (state.signal?.tone ?? null) : null}
      hint={hints.filter(Boolean).join('. ') || undefined}
      title={last.product.title}
      number={`${counted === null ? '—' : count(counted)}${others === null ? '' : ` + ${count(others)}`}`}
      action={
        last.how === 'scanned' && counted === last.counted
          ? {
              name: undone > 1 ? `Undo ${many(undone, 'piece')}` : 'Undo scan',
              onClick: draft.undoScan,
            }
          : undefined
      }
    />
  )
}
