import { basename, dirname } from 'node:path/posix'
import { roomOf, rooms } from '../shared/domain/floors.ts'

/** The folder of the domain. */
export const domainFolder = 'shared/domain'

/** What is wrong with the import of `target` by `file`, both paths from the root; undefined when nothing is, or when one is not of the domain. */
export function wrongFloor(file: string, target: string): string | undefined {
  const [from, to] = [roomOf(file), roomOf(target)].map((found) => found && `${found.floor}/${found.room}`)
  if (from === undefined || to === undefined || from === to) return undefined
  const unlisted = [from, to].find((room) => !rooms.includes(room))
  if (unlisted !== undefined) return `${unlisted} is not in the list of shared/domain/floors.ts`
  return rooms.indexOf(to) > rooms.indexOf(from)
    ? 'imports go to lower floors and to earlier rooms (shared/domain/floors.ts)'
    : undefined
}

/** A bigger folder has a second level, named by the step of the work. The rooms of `kit` have no steps. */
export const maxFilesOfFolder = 20

/** The folders of the domain with too many files, one sentence each. `files` are paths from the root. */
export function bigFolders(files: readonly string[]): string[] {
  const ofRooms = files.filter((file) => file.startsWith(`${domainFolder}/`) && roomOf(file)?.floor !== 'kit')
  return [...Map.groupBy(ofRooms, dirname)].flatMap(([folder, { length }]) =>
    length > maxFilesOfFolder ? [`${folder} has ${length} files: more than ${maxFilesOfFolder}`] : [],
  )
}

/**
 * The only call that goes up: the catalogue compares a reported cost with the time of the stored one in the statement that writes it, and
 * the ledger of costs knows that time.
 */
const callUp = { path: 'shared/domain/records/catalogue/unit-cost-at.ts', name: 'unit_cost_at' }

/** The calls of SQL functions that go up, one sentence each. `files` have their text; `functions` are the paths of the functions. */
export function upwardCalls(
  files: readonly { path: string; text: string }[],
  functions: readonly string[],
): string[] {
  return files.flatMap(({ path, text }) =>
    functions
      .filter((target) => calls(text, basename(target, '.sql')))
      .filter((target) => path !== callUp.path || basename(target, '.sql') !== callUp.name)
      .flatMap((target) => {
        const why = wrongFloor(path, target)
        return why === undefined ? [] : [`${path} calls ${target}: ${why}`]
      }),
  )
}

const calls = (text: string, name: string) => new RegExp(`\\b${name}\\(`).test(text)

/** Writes of a table in SQL: its name follows. A name that is not in the text, as of all tables with data of a shop, is not found. */
const writes = /\b(?:insert into|update|delete from) (\w+)/g

/** The tables of other rooms that the SQL functions of a room write, because the write is atomic with what the function books. */
export const bookedTables: Readonly<Record<string, readonly string[]>> = {
  // the jobs of a process that died are freed together with its row
  'kit/operations': ['worker_instance'],
  // a booking stores the last cost of a variant and the weights of lines, and marks variants for the next velocity
  'ledgers/costs': ['variant', 'purchase_order_line', 'velocity_mark'],
  // a change of stock enqueues its push, and raises or resolves the alert of a low stock
  'ledgers/stock': ['stock_push', 'stock_push_line', 'reorder_rule', 'alert'],
  // the end of an order resolves its alerts
  'documents/purchase-orders': ['alert'],
}

/**
 * The tables that more than one room writes, one sentence each, so that the checks of a room hold for every row of its tables. Outside the domain
 * a folder of two names counts as a room. `files` have their text; `tables` are those of the schema.
 */
export function sharedTables(
  files: readonly { path: string; text: string }[],
  tables: ReadonlySet<string>,
): string[] {
  const writersOf = new Map<string, Set<string>>()
  for (const { path, text } of files) {
    const found = roomOf(path)
    const room = found ? `${found.floor}/${found.room}` : path.split('/').slice(0, 2).join('/')
    const booked = path.endsWith('.sql') ? (bookedTables[room] ?? []) : []
    for (const [, table = ''] of text.matchAll(writes)) {
      if (!tables.has(table) || booked.includes(table)) continue
      writersOf.set(table, (writersOf.get(table) ?? new Set()).add(room))
    }
  }
  return [...writersOf].flatMap(([table, rooms]) =>
    rooms.size > 1 ? [`${[...rooms].sort().join(' and ')} write ${table}: one room writes a table`] : [],
  )
}
