import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

export type LogView = { isVerbose: boolean; write: (line: string) => void }

const levels: Record<number, string> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
}
const standardFields = new Set(['level', 'time', 'pid', 'hostname', 'process', 'msg', 'err', 'name', 'v'])
const repeatIntervalMs = 10_000

/** Prints lines with the name of their process; repeated lines once in ten seconds, with a count. */
export function showLog(stream: Readable, name: string, { isVerbose, write }: LogView): void {
  const seen = new Map<string, { until: number; repeats: number }>()
  createInterface({ input: stream }).on('line', (line) => {
    const text = isVerbose ? describe(line, 0) : describe(line, 40)
    if (text === undefined) return
    const last = seen.get(text)
    if (last && Date.now() < last.until) {
      last.repeats += 1
      return
    }
    if (seen.size > 100) seen.clear()
    seen.set(text, { until: Date.now() + (isVerbose ? 0 : repeatIntervalMs), repeats: 0 })
    write(`${name.padEnd(8)}${text}${last && last.repeats > 0 ? ` (and ${last.repeats} times before)` : ''}`)
  })
}

/** `undefined` when the level is below `minimum`. Lines that are not from pino stay unchanged. */
export function describe(line: string, minimum: number): string | undefined {
  const entry = parse(line)
  if (!entry) return line.trim() === '' ? undefined : line
  const level = Number(entry.level)
  if (level < minimum) return undefined
  const rest = Object.fromEntries(Object.entries(entry).filter(([name]) => !standardFields.has(name)))
  const fields = Object.keys(rest).length > 0 ? JSON.stringify(rest) : ''
  return [levels[level] ?? entry.level, entry.msg, describeError(entry.err), shorten(fields)]
    .filter(Boolean)
    .join(' ')
}

function describeError(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  const text = 'stack' in error ? error.stack : 'message' in error ? error.message : ''
  return `\n    ${String(text).split('\n').slice(0, 4).join('\n    ')}`
}

function shorten(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}

function parse(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    const entry: Record<string, unknown> = JSON.parse(line)
    return typeof entry.level === 'number' ? entry : undefined
  } catch {
    return undefined
  }
}
