import { type Context, printRows, type Status } from './command.ts'
import type { Args } from './options.ts'
import type { Column } from './table.ts'

/** A change of several rows of a kind, each of which may be refused. */
export type Change<T extends { id: number }> = {
  /** For messages: "Job", "Retried", "retry". */
  noun: string
  done: string
  verb: string
  columns: readonly Column<T>[]
  selected: readonly T[]
  /** The ids of arguments that do not exist, each with a reason. */
  missing: ReadonlyMap<number, string>
  /** The reason why a row cannot be changed; undefined when it can. */
  refusalReason: (item: T) => string | undefined
  /** Changes rows; returns the ids of those that were changed. */
  apply: (items: readonly T[]) => Promise<readonly number[]>
  /** The reason for each row that `apply` did not change. */
  unchangedReasons: (ids: readonly number[]) => Promise<ReadonlyMap<number, string>>
}

const batchSize = 500
const maxShown = 50

/** Changes the rows that can be changed, and prints why others were not. Several rows are changed only with --yes. */
export async function change<T extends { id: number }>(
  context: Context,
  args: Args,
  { noun, done, verb, columns, selected, missing, refusalReason, apply, unchangedReasons }: Change<T>,
): Promise<Status> {
  const { print } = context
  const unchanged = new Map(missing)
  const changeable: T[] = []
  for (const item of selected) {
    const reason = refusalReason(item)
    if (reason === undefined) changeable.push(item)
    else unchanged.set(item.id, reason)
  }
  const isDryRun = changeable.length > 1 && !args.isSure
  const changed: T[] = []
  for (let at = 0; !isDryRun && at < changeable.length; at += batchSize) {
    const batch = changeable.slice(at, at + batchSize)
    const ids = new Set(await apply(batch))
    changed.push(...batch.filter(({ id }) => ids.has(id)))
    const skipped = batch.map(({ id }) => id).filter((id) => !ids.has(id))
    if (skipped.length > 0) for (const [id, why] of await unchangedReasons(skipped)) unchanged.set(id, why)
  }
  const shown = isDryRun ? changeable : changed
  if (args.isJson) {
    for (const item of shown) print(JSON.stringify({ ...item, outcome: isDryRun ? 'dry run' : verb }))
    for (const [id, reason] of unchanged) print(JSON.stringify({ id, outcome: 'left alone', reason }))
  } else {
    printRows(context, args, columns, shown.slice(0, maxShown))
    if (shown.length > maxShown) print(`… and ${shown.length - maxShown} more`)
    for (const [id, reason] of unchanged) print(`${noun} ${id} is left alone: ${reason}.`)
    if (isDryRun) print(`Nothing was changed. To ${verb} these ${changeable.length}, add --yes.`)
    else if (shown.length + unchanged.size === 0) print('Nothing matches.')
    else print(`${done} ${changed.length} of ${changed.length + unchanged.size}.`)
  }
  return shown.length > 0 && unchanged.size === 0 ? 0 : 1
}

/** Commands that change rows need ids or a filter, so that no command changes all rows by mistake. */
export function hasFilter({ state, task, shop, topic, error, since }: Args): boolean {
  return [state, task, shop, topic, error, since].some((value) => value !== undefined)
}
