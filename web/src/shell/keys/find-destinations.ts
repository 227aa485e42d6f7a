import { reports } from '../../pages/reports/reports.ts'
import { type Destination, destinations } from './destinations.ts'

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

/** The destinations in which each typed word begins a word. */
export function findDestinations(typed: string): readonly Destination[] {
  const wanted = typed
    .toLowerCase()
    .split(/[\s-]+/)
    .filter(Boolean)
  return [...destinations, ...morePages].filter(({ name, words = '' }) => {
    const own = `${name} ${words}`.toLowerCase().split(' ')
    return wanted.every((word) => own.some((it) => it.startsWith(word)))
  })
}
