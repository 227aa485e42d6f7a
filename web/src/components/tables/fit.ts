import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Below this width of its frame a table shows cards (`row-table.module.css`): just less than 40rem. */
const cardsWidth = 39.9 * 16

/**
 * Shows cards when the table is wider than its room, whatever its texts and amounts are. `row-table.module.css` shows them by
 * the width of the frame inside the room, which is smaller or wider than the room by `--more`. Example: a table needs 720 px
 * in a room of 700: `--more` is 700 − 638 = 62 px, the frame has 638, and the rows are cards as wide as the room.
 */
export function useFit(
  rows: readonly unknown[],
  columns: number,
): {
  room: RefObject<HTMLDivElement | null>
  ruler: RefObject<HTMLDivElement | null>
} {
  const room = useRef<HTMLDivElement>(null)
  // its height never changes, so that a change of the rows' height is no change to observe
  const ruler = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows and columns decide how wide the table is
  useLayoutEffect(() => {
    if (room.current) fit(room.current)
  }, [rows, columns])
  useLayoutEffect(() => {
    let width = ruler.current?.clientWidth
    const observer = new ResizeObserver(([entry]) => {
      if (!room.current || entry?.contentRect.width === width) return
      width = entry?.contentRect.width
      fit(room.current)
    })
    if (ruler.current) observer.observe(ruler.current)
    return () => observer.disconnect()
  }, [])
  return { room, ruler }
}

function fit(room: HTMLElement): void {
  room.style.removeProperty('--more')
  const table = room.querySelector('table')
  const { clientWidth } = room
  if (table && table.offsetWidth > clientWidth + 1)
    room.style.setProperty('--more', `${clientWidth - cardsWidth}px`)
}
