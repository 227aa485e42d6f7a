import type { Draft, DraftLine } from '../form/draft.ts'

const fields = ['quantity', 'costPrice', 'supplierSku', 'packSize', 'discountPercent', 'taxRate'] as const

/**
 * Applies what this user changed since `base` to `theirs`, the order as another user saved it. Each line is one of these:
 *
 * | in base | mine | theirs | result |
 * |---|---|---|---|
 * | yes | yes | yes | their line with the fields that this user changed |
 * | yes | no | yes | removed, if they did not change it; else their line |
 * | yes | any | no | removed |
 * | no | yes | no | added |
 * | no | no | yes | added |
 */
export function mergeLines(base: Draft, mine: Draft, theirs: Draft): Draft {
  const before = byId(base.lines)
  const typed = byId(mine.lines)
  const kept = theirs.lines.flatMap((line) => {
    const was = before.get(line.id)
    const own = typed.get(line.id)
    if (!was) return [line]
    if (!own) return changes(was, line).length > 0 ? [line] : []
    return [{ ...line, ...Object.fromEntries(changes(was, own)) }]
  })
  return { ...theirs, lines: [...kept, ...mine.lines.filter(({ id }) => id === undefined)] }
}

const byId = (lines: readonly DraftLine[]) => new Map(lines.map((line) => [line.id, line]))

const changes = (was: DraftLine, now: DraftLine) =>
  fields.filter((name) => was[name] !== now[name]).map((name) => [name, now[name]] as const)
