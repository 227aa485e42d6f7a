import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import t from 'tap'
import { createScrub } from '../shared/telemetry/scrub.ts'
import { testConfig } from './support/core/database.ts'
import { deadline } from './support/core/machine.ts'

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
/** Long texts that nearly match: one or two characters of the pattern repeated, with an end that does not match. */
function* attacks({ source }: Pattern, length: number): Generator<string> {
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

/**
 * Runs the body of a function in a thread, and returns whether it ends. On a text of a million characters a bad pattern needs minutes or
 * hours, and a good one some milliseconds: the result is the same on a busy machine.
 */
async function endsSoon(body: string, data: unknown): Promise<boolean> {
  const code = `const { workerData: data } = require('node:worker_threads'); (async () => { ${body} })()`
  const worker = new Worker(code, { eval: true, workerData: data })
  const hasEnded = once(worker, 'exit').then(([status]) => status === 0)
  const signal = AbortSignal.timeout(deadline(5_000))
  const isLate = once(signal, 'abort').then(() => false)
  const result = await Promise.race([hasEnded, isLate])
  await worker.terminate()
  return result
}

/** Chooses what needs the proof of `endsSoon`, which starts a thread. A busy machine chooses more, and a bad pattern always takes longer. */
function seemsSlow(work: () => unknown): boolean {
  const startedAt = performance.now()
  work()
  return performance.now() - startedAt > 50
}

async function isSlow(pattern: Pattern): Promise<string | undefined> {
  const short = attacks(pattern, length)
  const long = attacks(pattern, 50 * length)
  for (const text of short) {
    const { value } = long.next()
    if (!seemsSlow(() => text.replace(pattern.regex, ''))) continue
    if (!(await endsSoon("data.text.replace(data.regex, '')", { text: value, regex: pattern.regex })))
      return text
  }
  return undefined
}

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
    const text = await isSlow(pattern)
    if (text) slow.push(`${pattern.file} /${pattern.source}/ on ${JSON.stringify(text.slice(0, 24))}`)
  }
  t.strictSame(slow, [])
})

t.test('the test detects a slow regular expression', async (t) => {
  t.ok(await isSlow({ file: '', source: '\\s+$', regex: /\s+$/ }))
})

t.test('the log scrubber is fast on long texts', async (t) => {
  const config = testConfig('postgres://app:some-password@db.example/quartermaster')
  const scrub = createScrub(config)
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
    const [text, long] = [length, 50 * length].map((size) => piece.repeat(Math.ceil(size / piece.length)))
    if (!seemsSlow(() => scrub(text ?? ''))) continue
    const body = `const { createScrub } = await import(${JSON.stringify(`${root}shared/telemetry/scrub.ts`)}); createScrub(data.config)(data.long)`
    t.ok(await endsSoon(body, { config, long }), piece)
  }
})
