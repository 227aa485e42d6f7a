import { parseArgs } from 'node:util'
import { FormatRegistry } from '@sinclair/typebox'

/** The command line is not right: to be said together with the help. */
export class UsageError extends Error {}

/** Every option there is, and what it is for; each command takes some of them. */
export const options = {
  failed: { type: 'boolean', help: 'only what has failed for good' },
  running: { type: 'boolean', help: 'only what runs now' },
  waiting: { type: 'boolean', help: 'only what waits' },
  task: { type: 'string', value: 'NAME', help: 'only this task, as in apply-orders' },
  shop: { type: 'string', value: 'DOMAIN', help: 'only what concerns this shop' },
  topic: { type: 'string', value: 'TOPIC', help: 'only this topic, as in ORDERS_CREATE' },
  error: { type: 'string', value: 'TEXT', help: 'only where the error holds this text' },
  since: {
    type: 'string',
    value: 'T',
    help: 'only since: 30m, 12h, 7d, 2026-03-01, 2026-03-01T12:00:00Z',
  },
  limit: { type: 'string', value: 'N', help: 'at most so many, the newest' },
  yes: { type: 'boolean', help: 'do it, also when it is more than one' },
  force: { type: 'boolean', help: 'also where the effect is recorded already' },
  json: { type: 'boolean', help: 'one JSON object per line, for machines' },
  help: { type: 'boolean', help: 'show this' },
} as const
export type OptionName = keyof typeof options

export type Args = {
  ids: number[]
  state: 'failed' | 'running' | 'waiting' | undefined
  task: string | undefined
  shop: string | undefined
  topic: string | undefined
  error: string | undefined
  /** ISO instant. */
  since: string | undefined
  limit: number | undefined
  isSure: boolean
  isForced: boolean
  isJson: boolean
  isHelp: boolean
}

/** Reads what follows the command's name. Throws UsageError. */
export function readArgs(words: string[], names: readonly OptionName[], takesIds: boolean): Args {
  const { values, positionals } = parse(words, names)
  const states = (['failed', 'running', 'waiting'] as const).filter((state) => values[state])
  if (states.length > 1) throw new UsageError(`--${states.join(' and --')} exclude each other.`)
  if (!takesIds && positionals.length > 0) throw new UsageError(`It takes no "${positionals[0]}".`)
  const text = (name: OptionName) => {
    const value = values[name]
    if (value === '') throw new UsageError(`--${name} needs a value.`)
    return typeof value === 'string' ? value : undefined
  }
  const limit = text('limit')
  const since = text('since')
  return {
    ids: [...new Set(positionals.map((word) => readNumber(word, 'An id')))],
    state: states[0],
    task: text('task'),
    shop: text('shop'),
    topic: text('topic'),
    error: text('error'),
    since: since === undefined ? undefined : readSince(since),
    limit: limit === undefined ? undefined : readNumber(limit, '--limit'),
    isSure: values.yes === true,
    isForced: values.force === true,
    isJson: values.json === true,
    isHelp: values.help === true,
  }
}

function parse(words: string[], names: readonly OptionName[]) {
  const taken = Object.fromEntries([...names, 'help' as const].map((name) => [name, options[name]]))
  try {
    return parseArgs({ args: words, options: taken, allowPositionals: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function readNumber(word: string, what: string): number {
  const number = Number(word)
  if (!/^[1-9]\d*$/.test(word) || !Number.isSafeInteger(number)) {
    throw new UsageError(`${what} must be a positive whole number; it is "${word}".`)
  }
  return number
}

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 }

function readSince(word: string): string {
  const [, amount, unit] = /^([1-9]\d{0,4})([mhd])$/.exec(word) ?? []
  if (unit) return new Date(Date.now() - Number(amount) * unitMs[unit as keyof typeof unitMs]).toISOString()
  if (!FormatRegistry.Get('day-or-instant')?.(word)) {
    throw new UsageError(`--since must be ${options.since.help.split(': ')[1]}; it is "${word}".`)
  }
  return new Date(word).toISOString()
}
