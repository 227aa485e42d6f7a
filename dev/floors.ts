import { dirname } from 'node:path/posix'

/** The folder of the domain, whose floors are listed from the lowest to the highest. */
export const domainFolder = 'shared/domain'

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

const rooms: readonly string[] = Object.entries(floors).flatMap(([floor, names]) =>
  names.map((name) => `${floor}/${name}`),
)

/** What is wrong with the import of `target` by `file`, both paths from the root; undefined when nothing is, or when one is not of the domain. */
export function wrongFloor(file: string, target: string): string | undefined {
  const [from, to] = [roomOf(file), roomOf(target)].map((found) => found && `${found.floor}/${found.room}`)
  if (from === undefined || to === undefined || from === to) return undefined
  const unlisted = [from, to].find((room) => !rooms.includes(room))
  if (unlisted !== undefined) return `${unlisted} is not in the list of dev/floors.ts`
  return rooms.indexOf(to) > rooms.indexOf(from)
    ? 'imports go to lower floors and to earlier rooms (dev/floors.ts)'
    : undefined
}

/** The floor and room of a file of the domain; undefined for another file. */
export function roomOf(path: string): { floor: string; room: string } | undefined {
  const [, floor, room] = /^shared\/domain\/([^/]+)\/([^/.]+)/.exec(path) ?? []
  return floor && room ? { floor, room } : undefined
}

/** A bigger folder has a second level, named by the step of the work. `kit` is a box of tools without steps. */
export const maxFilesOfFolder = 20

/** The folders of the domain with too many files, one sentence each. `files` are paths from the root. */
export function bigFolders(files: readonly string[]): string[] {
  const ofRooms = files.filter((file) => file.startsWith(`${domainFolder}/`) && roomOf(file)?.floor !== 'kit')
  return [...Map.groupBy(ofRooms, dirname)].flatMap(([folder, { length }]) =>
    length > maxFilesOfFolder ? [`${folder} has ${length} files: more than ${maxFilesOfFolder}`] : [],
  )
}

/** Writes of a table in SQL: its name follows. A name that is not in the text, as of all tables with data of a shop, is not found. */
const writes = /\b(?:insert into|update|delete from) (\w+)/g

/**
 * The tables that more than one room writes, one sentence each, so that the checks of a room hold for every row of its tables. Outside the domain
 * a folder of two names counts as a room. `files` have their code; `tables` are those of the schema.
 */
export function sharedTables(
  files: readonly { file: string; code: string }[],
  tables: ReadonlySet<string>,
): string[] {
  const writersOf = new Map<string, Set<string>>()
  for (const { file, code } of files) {
    const found = roomOf(file)
    const room = found ? `${found.floor}/${found.room}` : file.split('/').slice(0, 2).join('/')
    for (const [, table = ''] of code.matchAll(writes)) {
      if (tables.has(table)) writersOf.set(table, (writersOf.get(table) ?? new Set()).add(room))
    }
  }
  return [...writersOf].flatMap(([table, rooms]) =>
    rooms.size > 1 ? [`${[...rooms].sort().join(' and ')} write ${table}: one room writes a table`] : [],
  )
}
