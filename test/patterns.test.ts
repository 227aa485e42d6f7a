import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { createScrub } from '../shared/telemetry/scrub.ts'
import { testConfig } from './support/core/database.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

type Pattern = { file: string; source: string; regex: RegExp }

/** `literal` matches a regular expression between slashes, `quoted` one that a schema or a string contains. */
const literal =
  /(?<=[=(,:[&|!?>{;]\s*|^\s*|return )\/((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])*)\/([dgimsuvy]*)/gm
const quoted = /(?:pattern: |textType\([^,]*, [^,]*, )(['`])((?:\\.|(?!\1).)*)\1/g

function patternsOf(file: string): Pattern[] {
  const code = readFileSync(`${root}${file}`, 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$|\s\/\/ .*$/gm, '')
  const literals = [...code.matchAll(literal)].map(([, source = '', flags]) => ({ source, flags }))
  const strings = [...code.matchAll(quoted)].map(([, , source = '']) => ({
    source: source.replaceAll('\\\\', '\\').replaceAll(/\$\{type\}/g, 'Product'),
    flags: '',
  }))
  return [...literals, ...strings].map(({ source, flags }) => ({
    file,
    source,
    regex: new RegExp(source, flags),
  }))
}

const patterns = globSync('{api,shared,worker}/**/*.ts', { cwd: root }).flatMap(patternsOf)

/** Patterns that only ever get short texts of a known form, with the reason. */
const bounded: Record<string, string> = {
  '\\d+$': 'ids of the platform, whose schema allows 20 digits',
}

const length = 20_000
const maxMs = 200

/** Long texts that nearly match: one or two characters of the pattern repeated, with an end that does not match. */
function* attacks({ source }: Pattern): Generator<string> {
  const own = [...new Set(source.replace(/\\[dwsbpP]|[[\](){}*+?|^$]/g, ''))].slice(0, 14)
  const alphabet = [...new Set([...own, ...'aA0 -.:/@"\\=%?\t\n'])]
  const pairs = own.flatMap((first) => ['a', '0', ...own].map((second) => first + second))
  const pieces = [
    'eyJaaaaa-',
    'eyJaaaaa.',
    '://a:',
    'a?a=',
    '"a_token',
    '\\\\":',
    'Bearer ',
    'a@a.a',
    '1-1',
    '<a@a>',
    ' http://a',
  ]
  for (const piece of [...alphabet, ...pairs, ...pieces]) {
    const text = piece.repeat(Math.ceil(length / piece.length))
    yield text
    yield `${text}\u0001!`
    yield `eyJaaaaa.${text}\u0001`
  }
}

function timeOf(work: () => unknown): number {
  const startedAt = performance.now()
  work()
  return performance.now() - startedAt
}

/** Measures three times: a busy machine is slow once, a bad pattern every time. */
const isSlow = (work: () => unknown) => [1, 2, 3].every(() => timeOf(work) > maxMs)

t.test('the test finds the regular expressions of the code', async (t) => {
  t.ok(patterns.length > 60, `${patterns.length} patterns`)
  t.equal(
    patterns.filter(({ source }) => source.endsWith('\\u2029]*$')).length,
    2,
    'those of the text schemas',
  )
  const lines = globSync('{api,shared,worker}/**/*.ts', { cwd: root })
    .flatMap((file) => readFileSync(`${root}${file}`, 'utf8').split('\n'))
    .filter((line) => /\/[dgimsuvy]*\.(test|exec)\(/.test(line) && !line.trim().startsWith('*'))
  for (const line of lines)
    t.ok(
      patterns.some(({ source }) => line.includes(`/${source}/`)),
      line.trim(),
    )
})

t.test('no regular expression is slow on a long hostile text', async (t) => {
  const slow: string[] = []
  for (const pattern of patterns) {
    if (pattern.source in bounded) continue
    for (const text of attacks(pattern)) {
      if (!isSlow(() => text.replace(pattern.regex, ''))) continue
      slow.push(`${pattern.file} /${pattern.source}/ on ${JSON.stringify(text.slice(0, 24))}`)
      break
    }
  }
  t.strictSame(slow, [])
})

t.test('the test detects a slow regular expression', async (t) => {
  const source = '^(a+)*b$'
  // four times the limit on a fast machine
  t.ok(isSlow(() => /\s+$/.test(`${' '.repeat(50_000)}!`)))
  t.ok([...attacks({ file: '', source, regex: new RegExp(source) })].some((text) => text.startsWith('aaaa')))
})

t.test('the log scrubber is fast on long texts', async (t) => {
  const scrub = createScrub(testConfig('postgres://app:some-password@db.example/quartermaster'))
  for (const piece of [
    'eyJaaaaa-',
    'eyJaaaaa',
    '://a:',
    'postgres://a:',
    'a?b',
    'a?b=',
    '"access_token',
    'Bearer ',
    '\\"',
    '?',
  ]) {
    const text = piece.repeat(Math.ceil(50_000 / piece.length))
    t.notOk(
      isSlow(() => scrub(text)),
      piece,
    )
  }
})
