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
    name: 'Create an order',
    kind: 'Actions',
    keys: ['n', 'o'],
    words: 'new purchase buy',
  },
  { to: '/counts/new', name: 'Start a count', kind: 'Actions', keys: ['n', 'c'], words: 'new stocktake' },
  { to: '/transfers/new', name: 'Create a transfer', kind: 'Actions', keys: ['n', 't'], words: 'new move' },
  {
    to: '/receipts/new',
    name: 'Receive without an order',
    kind: 'Actions',
    keys: ['n', 'i'],
    words: 'new receipt',
  },
  { to: '/suppliers/new', name: 'Create a supplier', kind: 'Actions', keys: ['n', 'u'], words: 'new add' },
  { to: '/returns/new', name: 'Create a return', kind: 'Actions', words: 'new to supplier' },
  { to: '/reorder/rules/new', name: 'Create a rule', kind: 'Actions', words: 'new reorder point' },
]

/** The destinations of the navigation and the keys, which every page loads. The palette has more (`find-destinations.ts`). */
export const destinations: readonly Destination[] = [
  ...actions,
  ...navigation.map(({ to, name }): Destination => {
    const key = pageKeys[to]
    return { to, name, kind: 'Pages', ...(key && { keys: ['g', key] as const }) }
  }),
]
