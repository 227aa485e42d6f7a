import { reports } from '../../pages/reports/reports.ts'
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

const morePages: readonly Destination[] = [
  { to: '/stock/history', name: 'Stock history', kind: 'Pages', words: 'movements' },
  { to: '/stock/import', name: 'Import stock', kind: 'Pages', words: 'csv' },
  { to: '/stock/bins', name: 'Set bins', kind: 'Pages', words: 'import' },
  { to: '/stock/labels', name: 'Labels', kind: 'Pages', words: 'print barcode' },
  { to: '/stock/on-its-way', name: 'Pending sync', kind: 'Pages', words: 'stock changes' },
  { to: '/stock/past-adjustments', name: 'Past adjustments', kind: 'Pages' },
  { to: '/reorder/rules/import', name: 'Import reorder rules', kind: 'Pages', words: 'csv' },
  { to: '/suppliers/price-list', name: 'Import a price list', kind: 'Pages', words: 'csv supplier' },
  { to: '/suppliers/from-vendors', name: 'Suppliers from vendors', kind: 'Pages', words: 'create' },
  { to: '/reorder/rules', name: 'Reorder rules', kind: 'Pages', words: 'points' },
  { to: '/counts/plans', name: 'Count plans', kind: 'Pages' },
  { to: '/transfers/suggestions', name: 'Transfer suggestions', kind: 'Pages' },
  { to: '/returns', name: 'Returns', kind: 'Pages' },
  { to: '/buying-budgets', name: 'Budgets', kind: 'Pages', words: 'buying money' },
  { to: '/demand-events', name: 'Events', kind: 'Pages', words: 'promotion demand' },
  { to: '/imports', name: 'Move in', kind: 'Pages', words: 'import' },
  { to: '/sync', name: 'Sync', kind: 'Pages', words: 'import updates' },
  ...reports.map(({ to, name }): Destination => ({ to, name, kind: 'Pages', words: 'report' })),
]

export const destinations: readonly Destination[] = [
  ...actions,
  ...navigation.map(({ to, name }): Destination => {
    const key = pageKeys[to]
    return { to, name, kind: 'Pages', ...(key && { keys: ['g', key] as const }) }
  }),
  ...morePages,
]

/** Those of which a word begins with each typed word. */
export function findDestinations(typed: string): readonly Destination[] {
  const wanted = typed
    .toLowerCase()
    .split(/[\s-]+/)
    .filter(Boolean)
  return destinations.filter(({ name, words = '' }) => {
    const own = `${name} ${words}`.toLowerCase().split(' ')
    return wanted.every((word) => own.some((it) => it.startsWith(word)))
  })
}
