import { hasSqlDetails, loadModule, parseSync } from 'libpg-query'
import type { Interpolation, Template } from './read-templates.ts'

await loadModule()

/**
 * A tree of libpg-query. `shopParameters` has the number of each parameter that is the shop's id. A partial tree is that of a
 * fragment that is not a whole statement.
 */
export type Parsed = { tree: unknown; shopParameters: ReadonlySet<number>; isPartial: boolean }

/** The name of a piece of SQL that another template holds. */
const pieceName = 'unknown_piece'

/** Each text for an interpolation has this length, so that positions in errors can be compared. */
const width = 32

/**
 * The syntax tree of a template. An interpolation that may be any piece of SQL is tried as a parameter, nothing, a name, a common table
 * expression and an assignment, until Postgres's parser accepts the whole. A fragment is tried in each place in which
 * fragments are used.
 */
export function parseTemplate({ isFragment, parts }: Template): Parsed {
  const text = parts.filter((part) => typeof part === 'string').join('')
  const frames = isFragment ? framesOf(text) : statementFrames
  let farthest = -1
  let message = ''
  for (const [before, after] of frames) {
    const attempt = fill([before, ...parts, after])
    if ('tree' in attempt) return { ...attempt, isPartial: before + after !== '' }
    if (attempt.position - before.length > farthest) {
      farthest = attempt.position - before.length
      message = attempt.message
    }
  }
  throw new Error(message)
}

type Frame = readonly [before: string, after: string]

const statementFrames: readonly Frame[] = [['', '']]

/** What stands around a fragment of each kind. */
const fragmentFrames: readonly [RegExp, Frame][] = [
  [/^\s*(select|insert|update|delete|values|with)\b/i, ['', '']],
  [/^\s*with\b/i, ['', ' select 1']],
  [/^\s*(\w+ (\([\w, ]*\) )?as (not )?(materialized )?\(|$)/i, ['with ', ' select 1']],
  [/^\s*(\w+ (\([\w, ]*\) )?as (not )?(materialized )?\(|$)/i, ['with ', ' a as (select 1) select 1']],
  [/^\s*,/, ['with a as (select 1) ', ' select 1']],
  [
    /^\s*(inner|left|cross|right|full|join|where|group|having|order|limit|for|offset|window)\b|^/i,
    ['select 1 from a ', ''],
  ],
  [/^\s*on conflict\b/i, ['insert into a values (1) ', '']],
  [/^\s*union all\s*$|^\s*,\s*$|^$/, ['select 1 --', '']],
  [/^\s*returning\b/i, ['delete from a ', '']],
  [/^\s*set\b/i, ['update a ', '']],
  [/^\s*from\b/i, ['select 1 ', '']],
  [/^/, ['select ', '']],
  [/^/, ['select 1 from a where ', '']],
  [/^/, ['select 1 from ', '']],
  [/^/, ['select a ', ' from a']],
  [/^/, ['select ', ' a']],
  [/^/, ['select true ', '']],
  [/^/, ['select ', ' true']],
  [/^/, ['update a set ', '']],
  [/^/, ['update a set ', ' b = 1']],
  [/^/, ['update a set b = 1 ', '']],
  [/^/, ['delete from a ', '']],
  [/^/, ['select 1 order by ', '']],
  [/^/, ['select * from x() as a (', ')']],
  [/^/, ['insert into a values ', '']],
  [/^/, ['insert into a ', ' values (1)']],
  [/^/, ['insert into a (', ') values (1)']],
]

const framesOf = (text: string) =>
  fragmentFrames.filter(([pattern]) => pattern.test(text)).map(([, frame]) => frame)

/** Chooses a text for each interpolation: tries the next choices of those before the error as long as the error moves on. */
function fill(
  parts: readonly (string | Interpolation)[],
): Omit<Parsed, 'isPartial'> | { position: number; message: string } {
  const choices = parts.map((part, index) => (typeof part === 'string' ? [part] : choicesFor(part, index)))
  const chosen = parts.map(() => 0)
  const shopParameters = new Set(
    parts.flatMap((part, index) => (typeof part !== 'string' && part.kind === 'shop' ? [index] : [])),
  )
  let result = parse(choices, chosen)
  while ('position' in result) {
    const better = improve(choices, chosen, result.position)
    if (!better) return result
    result = better
  }
  return { tree: result.tree, shopParameters }
}

type Attempt = { tree: unknown } | { position: number; message: string }

function improve(choices: string[][], chosen: number[], position: number): Attempt | undefined {
  let end = 0
  const before = choices.flatMap((texts, index) => {
    const start = end
    end += texts[chosen[index] ?? 0]?.length ?? 0
    return texts.length > 1 && start <= position ? [index] : []
  })
  for (const index of before.reverse().slice(0, 3)) {
    const last = chosen[index] ?? 0
    for (let next = last + 1; next < (choices[index]?.length ?? 0); next++) {
      chosen[index] = next
      const attempt = parse(choices, chosen)
      if ('tree' in attempt || attempt.position > position) return attempt
    }
    chosen[index] = last
  }
  return undefined
}

function parse(choices: readonly string[][], chosen: readonly number[]): Attempt {
  const text = choices.map((texts, index) => texts[chosen[index] ?? 0]).join('')
  try {
    return { tree: parseSync(text) }
  } catch (error) {
    if (!hasSqlDetails(error)) throw error
    return { position: error.sqlDetails?.cursorPosition ?? 0, message: error.message }
  }
}

function choicesFor(interpolation: Interpolation, index: number): string[] {
  const padded = (text: string) => text.padEnd(width)
  const parameter = `$${index}`
  if (interpolation.kind === 'shop' || interpolation.kind === 'value') return [padded(parameter)]
  if (interpolation.kind === 'identifier') return [padded(interpolation.name)]
  return [
    parameter,
    '',
    'select 1 from a',
    'select 1',
    pieceName,
    `a${index} as (select 1)`,
    `${pieceName} = 1`,
    `${pieceName} int`,
  ].map(padded)
}
