import type { DatabasePool } from '../../../shared/db/db.ts'
import { listInstallations } from '../../../shared/domain/records/shops/shops.ts'
import { type Args, type OptionName, options, UsageError } from './options.ts'
import { type Column, table } from './table.ts'

/** The exit status. 0: rows were found or changed; 1: nothing matched, or something could not be changed. */
export type Status = 0 | 1

export type Context = { db: DatabasePool; print: (line: string) => void }

/** A command after `npm run jobs --`. */
export type Command = {
  name: string
  operands: string
  summary: string
  notes?: string
  options: readonly OptionName[]
  run: (context: Context, args: Args) => Promise<Status>
}

export function helpOf(command: Command): string {
  const usage = ['npm run jobs --', command.name, command.operands].filter(Boolean).join(' ')
  const lines = [...command.options, 'help' as const].map((name) => {
    const { help, ...option } = options[name]
    return `  ${`--${name}${'value' in option ? ` ${option.value}` : ''}`.padEnd(16)}${help}`
  })
  return [
    `${command.summary}\n\n  ${usage} [options]\n`,
    ...lines,
    ...(command.notes ? [`\n${command.notes}`] : []),
  ].join('\n')
}

/** The ids for `--shop`, also those of ended installations; undefined without the option. Throws UsageError. */
export async function shopIdsOf({ db }: Context, { shop }: Args): Promise<readonly number[] | undefined> {
  if (shop === undefined) return undefined
  const ids = await listInstallations(db, shop)
  if (ids.length === 0) throw new UsageError(`The app has never been installed in ${shop}.`)
  return ids
}

/** Prints rows as a table, or one JSON object per line. */
export function printRows<T>(
  { print }: Context,
  { isJson }: Args,
  columns: readonly Column<T>[],
  rows: readonly T[],
): void {
  if (isJson) for (const row of rows) print(JSON.stringify(row))
  else if (rows.length > 0) for (const line of table(columns, rows)) print(line)
}

/** Prints at most `limit` rows, and a note when there are more. */
export function printList<T>(
  context: Context,
  args: Args,
  columns: readonly Column<T>[],
  rows: readonly T[],
  limit: number,
): Status {
  printRows(context, args, columns, rows.slice(0, limit))
  if (args.isJson) return rows.length > 0 ? 0 : 1
  if (rows.length === 0) context.print('Nothing matches.')
  if (rows.length > limit) context.print(`There are more than these ${limit}: see --limit.`)
  return rows.length > 0 ? 0 : 1
}

/** The rows that a list prints without --limit. */
export const listLimit = 50
