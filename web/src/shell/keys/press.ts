import { type Destination, destinations } from './destinations.ts'

/** A key and when it was pressed, in milliseconds. */
export type Press = { key: string; at: number }

/** A slower second key begins anew. */
const maxPauseMs = 1_500

const firstKeys = new Set(destinations.flatMap(({ keys }) => keys?.[0] ?? []))

/** What a key does after an earlier one: waits for the next key, leads to a page, opens the list of keys, or nothing. */
export function stepOf({ key, at }: Press, earlier: Press | null): Destination | 'wait' | 'key-list' | null {
  if (key === '?') return 'key-list'
  const found =
    earlier !== null && at - earlier.at <= maxPauseMs
      ? destinations.find(({ keys }) => keys?.[0] === earlier.key && keys[1] === key)
      : undefined
  return found ?? (firstKeys.has(key) ? 'wait' : null)
}
