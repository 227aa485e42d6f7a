import { type Context, printRows, type Status } from './command.ts'
import type { Args } from './options.ts'
import type { Column } from './table.ts'

/** A change of many things of a kind, each of which may refuse. */
export type Change<T extends { id: number }> = {
  /** As in "job", "Retried", "retry". */
  noun: string
  done: string
  verb: string
  columns: readonly Column<T>[]
  found: readonly T[]
  /** Ids that were named and are not there, with why. */
  missing: ReadonlyMap<number, string>
  /** Why one cannot be changed; undefined when it can. */
  transitionRefused: (item: T) => string | undefined
  /** Changes some; answers the ids of those that really changed. */
  apply: (items: readonly T[]) => Promise<readonly number[]>
  /** Why those that `apply` has left alone did not change. */
  whyUnchanged: (ids: readonly number[]) => Promise<ReadonlyMap<number, string>>
}

const maxAtOnce = 500
/** A dry run shows so many; it says how many there are. */
const maxShown = 50

/** Changes what can be changed and says what was left alone, and why. More than one: only with --yes. */
export async function change<T extends { id: number }>(
  context: Context,
  args: Args,
  { noun, done, verb, columns, found, missing, transitionRefused, apply, whyUnchanged }: Change<T>,
): Promise<Status> {
  const { print } = context
  const left = new Map(missing)
  const changeable: T[] = []
  for (const one of found) {
    const reason = transitionRefused(one)
    if (reason === undefined) changeable.push(one)
    else left.set(one.id, reason)
  }
  const isDryRun = changeable.length > 1 && !args.isSure
  const changed: T[] = []
  for (let at = 0; !isDryRun && at < changeable.length; at += maxAtOnce) {
    const some = changeable.slice(at, at + maxAtOnce)
    const ids = new Set(await apply(some))
    changed.push(...some.filter(({ id }) => ids.has(id)))
    const unchanged = some.map(({ id }) => id).filter((id) => !ids.has(id))
    if (unchanged.length > 0) for (const [id, why] of await whyUnchanged(unchanged)) left.set(id, why)
  }
  const shown = isDryRun ? changeable : changed
  if (args.isJson) {
    for (const one of shown) print(JSON.stringify({ ...one, outcome: isDryRun ? 'dry run' : verb }))
    for (const [id, reason] of left) print(JSON.stringify({ id, outcome: 'left alone', reason }))
  } else {
    printRows(context, args, columns, shown.slice(0, maxShown))
    if (shown.length > maxShown) print(`… and ${shown.length - maxShown} more`)
    for (const [id, reason] of left) print(`${noun} ${id} is left alone: ${reason}.`)
    if (isDryRun) print(`Nothing is changed yet. To ${verb} these ${changeable.length}, add --yes.`)
    else if (shown.length + left.size === 0) print('Nothing matches.')
    else print(`${done} ${changed.length} of ${changed.length + left.size}.`)
  }
  return shown.length > 0 && left.size === 0 ? 0 : 1
}

/** Ids and filters exclude each other, and everything there is must be asked for in so many words. */
export function hasFilter({ state, task, shop, topic, error, since }: Args): boolean {
  return [state, task, shop, topic, error, since].some((value) => value !== undefined)
}
