import { navigation } from '../navigation.ts'

/** What the palette and the keys reach without the server. `keys` are pressed one after the other. */
export type Destination = {
  to: string
  name: string
  kind: 'Pages' | 'Actions'
  keys?: readonly [string, string]
  /** Further words that find it. */
  words?: string
}

const pageKeys: Record<string, string> = {
  '/': 'h',
  '/purchase-orders': 'o',
  '/replenishment': 'p',
  '/receipts': 'i',
  '/suppliers': 'u',
  '/reorder': 'r',
  '/stock': 's',
  '/transfers': 't',
  '/counts': 'c',
  '/reports': 'm',
  '/alerts': 'a',
  '/settings': 'e',
}

const actions: readonly Destination[] = [
  {
    to: '/purchase-orders/new',
    name: 'New purchase order',
    kind: 'Actions',
    keys: ['n', 'o'],
    words: 'create buy',
  },
  { to: '/counts/new', name: 'Start a count', kind: 'Actions', keys: ['n', 'c'], words: 'new stocktake' },
  { to: '/transfers/new', name: 'New transfer', kind: 'Actions', keys: ['n', 't'], words: 'create move' },
  {
    to: '/receipts/new',
    name: 'Receive without an order',
    kind: 'Actions',
    keys: ['n', 'i'],
    words: 'new receipt',
  },
  { to: '/suppliers/new', name: 'Add a supplier', kind: 'Actions', keys: ['n', 'u'], words: 'new create' },
  { to: '/returns/new', name: 'Return to a supplier', kind: 'Actions', words: 'new create' },
  { to: '/reorder/rules/new', name: 'New reorder rule', kind: 'Actions', words: 'create point' },
]

/** The destinations of the navigation and the keys, which every page loads. The palette has more (`find-destinations.ts`). */
export const destinations: readonly Destination[] = [
  ...actions,
  ...navigation.map(({ to, name }): Destination => {
    const key = pageKeys[to]
    return { to, name, kind: 'Pages', ...(key && { keys: ['g', key] as const }) }
  }),
]
