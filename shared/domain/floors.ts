/**
 * The rooms of each floor, both in the order of the imports: a file imports from its own room, from earlier rooms of its floor and
 * from lower floors. A room is a folder or a single file of its floor. A new room is added where the rooms that it imports are before it.
 */
export const floors = {
  kit: [
    'search',
    'date-range',
    'patch',
    'filled-fields',
    'newest-by',
    'file-content',
    'require-cancellable',
    'pages',
    'csv',
    'webhook-fields',
    'attachments',
    'alerts',
    'list-views',
    'operations',
  ],
  records: [
    'catalogue',
    'shops',
    'exchange-rates',
    'supplier-prices',
    'suppliers',
    'labels',
    'mail-templates',
  ],
  ledgers: ['demand', 'stock', 'stock-pushes', 'cost-pushes', 'costs', 'margins', 'sales'],
  documents: [
    'purchase-orders',
    'receipts',
    'supplier-returns',
    'stock-transfers',
    'stock-counts',
    'stock-imports',
    'past-adjustments',
  ],
  planning: ['supply', 'forecasts', 'demand-events', 'reorder', 'planning', 'replenishment'],
  views: ['reports', 'exports', 'digest', 'variants'],
  exchange: ['sync', 'install', 'webhooks', 'imports'],
} as const

/** All rooms in this order, as `floor/room`. */
export const rooms: readonly string[] = Object.entries(floors).flatMap(([floor, names]) =>
  names.map((name) => `${floor}/${name}`),
)

/** The floor and room of a file of the domain, whose path is from the root; undefined for another file. */
export function roomOf(path: string): { floor: string; room: string } | undefined {
  const [, floor, room] = /^shared\/domain\/([^/]+)\/([^/.]+)/.exec(path) ?? []
  return floor && room ? { floor, room } : undefined
}
