import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { createScrub } from '../shared/telemetry/scrub.ts'
import { testConfig } from './support/core/database.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

type Pattern = { file: string; source: string; regex: RegExp }

/** A pattern between slashes, where no value stands before the first; and one that a schema or a string holds. */
const literal =
  /(?<=[=(,:[&|!?>{;]\s*|^\s*|return )\/((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])*)\/([dgimsuvy]*)/gm
const quoted = /(?:pattern: |words\([^,]*, [^,]*, )(['`])((?:\\.|(?!\1).)*)\1/g

function patternsOf(file: string): Pattern[] {
  const code = readFileSync(`${root}${file}`, 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$|\s\/\/ .*$/gm, '')
  const found = [...code.matchAll(literal)].map(([, source = '', flags]) => ({ source, flags }))
  const held = [...code.matchAll(quoted)].map(([, , source = '']) => ({
    source: source.replaceAll('\\\\', '\\').replaceAll(/\$\{type\}/g, 'Product'),
    flags: '',
  }))
  return [...found, ...held].map(({ source, flags }) => ({ file, source, regex: new RegExp(source, flags) }))
}

const patterns = globSync('{api,shared,worker}/**/*.ts', { cwd: root }).flatMap(patternsOf)

/** What only short texts of known shape ever reach; each says why. */
const bounded: Record<string, string> = {
  '\\d+$': 'ids of the platform, whose schema allows 20 digits',
}

const length = 20_000
const maxMs = 200

/** Long texts that nearly fit: what a pattern is made of, one and two at a time, again and again, and an end that fails. */
function* attacks({ source }: Pattern): Generator<string> {
  const own = [...new Set(source.replace(/\\[dwsbpP]|[[\](){}*+?|^$]/g, ''))].slice(0, 14)
  const alphabet = [...new Set([...own, ...'aA0 -.:/@"\\=%?\t\n'])]
  const pairs = own.flatMap((one) => ['a', '0', ...own].map((other) => one + other))
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

/** A busy machine is slow once, a bad pattern every time. */
const isSlow = (work: () => unknown) => [1, 2, 3].every(() => timeOf(work) > maxMs)

t.test('the patterns of the code are found', async (t) => {
  t.ok(patterns.length > 60, `${patterns.length} patterns`)
  const lines = globSync('{api,shared,worker}/**/*.ts', { cwd: root })
    .flatMap((file) => readFileSync(`${root}${file}`, 'utf8').split('\n'))
    .filter((line) => /\/[dgimsuvy]*\.(test|exec)\(/.test(line) && !line.trim().startsWith('*'))
  for (const line of lines)
    t.ok(
      patterns.some(({ source }) => line.includes(`/${source}/`)),
      line.trim(),
    )
})

t.test('no pattern takes long, however a text is made for it', async (t) => {
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

t.test('a pattern that takes long is noticed', async (t) => {
  const source = '^(a+)*b$'
  t.ok(isSlow(() => /\s+$/.test(`${' '.repeat(25_000)}!`)))
  t.ok([...attacks({ file: '', source, regex: new RegExp(source) })].some((text) => text.startsWith('aaaa')))
})

t.test('secrets are taken out of long texts in no time', async (t) => {
  const scrub = createScrub(testConfig('postgres://someone:some-password@db.example/quartermaster'))
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
