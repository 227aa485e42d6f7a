import { parseArgs } from 'node:util'
import { FormatRegistry } from '@sinclair/typebox'

/** The command line is invalid; printed together with the help of the command. */
export class UsageError extends Error {}

/** All options with their help. Each command allows some of them. */
export const options = {
  failed: { type: 'boolean', help: 'only failed for good' },
  running: { type: 'boolean', help: 'only running' },
  waiting: { type: 'boolean', help: 'only waiting' },
  task: { type: 'string', value: 'NAME', help: 'only this task, for example apply-orders' },
  shop: { type: 'string', value: 'DOMAIN', help: 'only for this shop' },
  topic: { type: 'string', value: 'TOPIC', help: 'only this topic, for example ORDERS_CREATE' },
  error: { type: 'string', value: 'TEXT', help: 'only where the error contains this text' },
  since: {
    type: 'string',
    value: 'T',
    help: 'only since: 30m, 12h, 7d, 2026-03-01, 2026-03-01T12:00:00Z',
  },
  limit: { type: 'string', value: 'N', help: 'at most N, the newest' },
  yes: { type: 'boolean', help: 'change several without listing them first' },
  force: { type: 'boolean', help: 'also when the effect is recorded already' },
  json: { type: 'boolean', help: 'print one JSON object per line, for scripts' },
  help: { type: 'boolean', help: 'show this help' },
} as const
export type OptionName = keyof typeof options

export type Args = {
  ids: number[]
  state: 'failed' | 'running' | 'waiting' | undefined
  task: string | undefined
  shop: string | undefined
  topic: string | undefined
  error: string | undefined
  /** An ISO instant. */
  since: string | undefined
  limit: number | undefined
  isSure: boolean
  isForced: boolean
  isJson: boolean
  isHelp: boolean
}

/** Parses the arguments after the command's name. Throws UsageError. */
export function readArgs(argv: string[], names: readonly OptionName[], takesIds: boolean): Args {
  const { values, positionals } = parse(argv, names)
  const states = (['failed', 'running', 'waiting'] as const).filter((state) => values[state])
  if (states.length > 1) throw new UsageError(`--${states.join(' and --')} cannot be combined.`)
  if (!takesIds && positionals.length > 0) throw new UsageError(`Unexpected argument "${positionals[0]}".`)
  const text = (name: OptionName) => {
    const value = values[name]
    if (value === '') throw new UsageError(`--${name} needs a value.`)
    return typeof value === 'string' ? value : undefined
  }
  const limit = text('limit')
  const since = text('since')
  return {
    ids: [...new Set(positionals.map((text) => readNumber(text, 'An id')))],
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

function parse(argv: string[], names: readonly OptionName[]) {
  const allowed = Object.fromEntries([...names, 'help' as const].map((name) => [name, options[name]]))
  try {
    return parseArgs({ args: argv, options: allowed, allowPositionals: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function readNumber(text: string, name: string): number {
  const number = Number(text)
  if (!/^[1-9]\d*$/.test(text) || !Number.isSafeInteger(number)) {
    throw new UsageError(`${name} must be a positive whole number, not "${text}".`)
  }
  return number
}

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 }

function readSince(text: string): string {
  const [, amount, unit] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? []
  if (unit) return new Date(Date.now() - Number(amount) * unitMs[unit as keyof typeof unitMs]).toISOString()
  if (!FormatRegistry.Get('day-or-instant')?.(text)) {
    throw new UsageError(`--since must be ${options.since.help.split(': ')[1]}, not "${text}".`)
  }
  return new Date(text).toISOString()
}
