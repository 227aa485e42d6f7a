import { fail } from './view.ts'

/** What can be searched for, by the name of the field. */
export type SearchFields<T> = Readonly<Record<string, (item: T) => string | number | boolean | null>>

const term = /([a-z_]+):(>=|<=|>|<)?('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^\s()]+)/y

/**
 * Reads a search such as `created_at:>='2026-01-01T00:00:00Z' AND status:active`. All terms must hold. The real
 * platform leaves out what it does not understand; this one refuses it, so that nobody relies on a filter that is
 * none.
 */
export function readSearch<T>(
  query: string | null | undefined,
  fields: SearchFields<T>,
): (item: T) => boolean {
  const text = (query ?? '').trim()
  const tests: ((item: T) => boolean)[] = []
  let position = 0
  while (position < text.length) {
    term.lastIndex = position
    const [found, name = '', operator = '', raw = ''] = term.exec(text) ?? []
    const read = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (found === undefined || !read)
      throw fail('BAD_REQUEST', `The simulator does not understand this search: ${text.slice(position)}`)
    const wanted = /^['"]/.test(raw) ? raw.slice(1, -1).replace(/\\(.)/g, '$1') : raw
    tests.push((item) => compare(read(item), operator, wanted))
    position +=
      found.length + (/^(\s+AND\s+|\s+)?/.exec(text.slice(position + found.length))?.[0].length ?? 0)
  }
  return (item) => tests.every((test) => test(item))
}

function compare(value: string | number | boolean | null, operator: string, wanted: string): boolean {
  if (value === null) return false
  const [left, right] = comparable(String(value), wanted)
  if (operator === '>') return left > right
  if (operator === '>=') return left >= right
  if (operator === '<') return left < right
  if (operator === '<=') return left <= right
  if (typeof right === 'string' && right.endsWith('*')) return String(left).startsWith(right.slice(0, -1))
  return left === right
}

type Comparable = [bigint, bigint] | [number, number] | [string, string]

/** Whole numbers and instants compare as such, everything else as text of any case. */
function comparable(value: string, wanted: string): Comparable {
  if (/^-?\d+$/.test(value) && /^-?\d+$/.test(wanted)) return [BigInt(value), BigInt(wanted)]
  const isInstant = /^\d{4}-\d\d-\d\d(T|$)/
  if (isInstant.test(value) && isInstant.test(wanted)) return [Date.parse(value), Date.parse(wanted)]
  return [value.toLowerCase(), wanted.toLowerCase()]
}
