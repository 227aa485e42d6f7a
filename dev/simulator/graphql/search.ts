import { fail } from './view.ts'

/** The searchable fields by name. */
export type SearchFields<T> = Readonly<Record<string, (item: T) => string | number | boolean | null>>

const term = /([a-z_]+):(>=|<=|>|<)?('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^\s()]+)/y

/**
 * Parses a search such as `created_at:>='2026-01-01T00:00:00Z' AND status:active`; all terms must match. The real
 * platform ignores terms that it does not understand; the simulator refuses them, so that no code relies on a
 * filter without effect.
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
    const readField = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (found === undefined || !readField)
      throw fail('BAD_REQUEST', `The simulator does not understand this search: ${text.slice(position)}`)
    const operand = /^['"]/.test(raw) ? raw.slice(1, -1).replace(/\\(.)/g, '$1') : raw
    tests.push((item) => compare(readField(item), operator, operand))
    position +=
      found.length + (/^(\s+AND\s+|\s+)?/.exec(text.slice(position + found.length))?.[0].length ?? 0)
  }
  return (item) => tests.every((test) => test(item))
}

function compare(value: string | number | boolean | null, operator: string, operand: string): boolean {
  if (value === null) return false
  const [left, right] = comparable(String(value), operand)
  if (operator === '>') return left > right
  if (operator === '>=') return left >= right
  if (operator === '<') return left < right
  if (operator === '<=') return left <= right
  if (typeof right === 'string' && right.endsWith('*')) return String(left).startsWith(right.slice(0, -1))
  return left === right
}

type Comparable = [bigint, bigint] | [number, number] | [string, string]

/** Compares whole numbers and instants by value, everything else as case-insensitive text. */
function comparable(value: string, operand: string): Comparable {
  if (/^-?\d+$/.test(value) && /^-?\d+$/.test(operand)) return [BigInt(value), BigInt(operand)]
  const isInstant = /^\d{4}-\d\d-\d\d(T|$)/
  if (isInstant.test(value) && isInstant.test(operand)) return [Date.parse(value), Date.parse(operand)]
  return [value.toLowerCase(), operand.toLowerCase()]
}
