import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { withClient } from '../dev/postgres/database.ts'
import { Environment, loadConfig } from '../shared/config.ts'
import { fieldsOf } from '../shared/domain/kit/webhook-fields/projection.ts'
import { readArgs } from '../worker/cli/jobs/options.ts'
import { commands } from '../worker/cli/jobs.ts'
import { createDatabase } from './support/core/database.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const documents = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).map((path) => path.replaceAll('\\', '/'))

t.test('.env.example has every variable once, in order', async (t) => {
  const names = [...read('.env.example').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name)
  t.strictSame(names, Object.keys(Environment.properties))
})

t.test('every decision has a reason and names an existing test', async (t) => {
  const files = documents.filter((path) => /^docs\/decisions\/(?!README)/.test(path))
  const rows = files.flatMap((path) =>
    read(path)
      .split('\n')
      .filter((row) => /^\| (?!question|-)/.test(row)),
  )
  t.ok(rows.length > 300)
  for (const row of rows) {
    const [question = '', answer = '', why = '', pinnedBy = ''] = row
      .slice(2)
      .replaceAll('\\|', '/')
      .split(' | ')
    t.ok(question && answer && why, row.slice(0, 60))
    const paths = [...pinnedBy.matchAll(/`([^`]+\.test\.ts)`/g)].map(([, path = '']) => path)
    t.ok(paths.length > 0 && paths.every((path) => existsSync(join(root, path))), row.slice(0, 60))
  }
})

t.test('docs/api.md lists every error code that the API sends', async (t) => {
  const code = globSync(['api/**/*.ts', 'shared/errors.ts', 'shared/domain/**/*.ts'], { cwd: root })
    .map(read)
    .join('\n')
  const calls = /(?:(?:unprocessable|conflict)\(\s*|\bcode: |AppError\('\w+', )'([a-z_]+)'/g
  const codes = new Set([...code.matchAll(calls)].map(([, name = '']) => name))
  t.ok(codes.size > 20)
  const rows = read('docs/api.md').match(/^\| [45]\d\d[^|]*\|[^|]*\|/gm) ?? []
  for (const name of codes)
    t.ok(
      rows.some((row) => row.includes(`\`${name}\``)),
      name,
    )
})

t.test('the glossary has each term once, in order', async (t) => {
  const terms = [...read('docs/glossary.md').matchAll(/^\| (?!term|-)(.+?) \|/gm)].map(([, term = '']) =>
    term.toLowerCase(),
  )
  t.ok(terms.length > 100)
  t.strictSame(terms, [...new Set(terms)].sort())
})

/** The names of the headings as they stand in links. */
const sectionsOf = (document: string) =>
  [...read(document).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\d\s-]/gu, '')
      .replaceAll(' ', '-'),
  )

t.test('links between documents and the file paths in them exist', async (t) => {
  for (const document of documents) {
    const text = read(document)
    for (const [, target = '', section] of text.matchAll(/\]\(([^)#:]*)(?:#([^)]+))?\)/g)) {
      const path = target === '' ? document : join(dirname(document), target)
      t.ok(existsSync(join(root, path)), `${document}: ${target}`)
      if (section) t.ok(sectionsOf(path).includes(section), `${document}: ${target}#${section}`)
    }
    for (const [, path = ''] of text.matchAll(/`((?:api|worker|shared|db|dev|test|web)\/[\w./-]+)`/g)) {
      t.ok(/X\.|X\/|XX/.test(path) || existsSync(join(root, path)), `${document}: ${path}`)
    }
  }
})

t.test('the commands of the documents are those of package.json', async (t) => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'))
  const commands = documents.flatMap((document) =>
    [
      ...read(document).matchAll(/npm (?:run (?:--silent )?)?(start|test|(?<=run (?:--silent )?)[\w:]+)/g),
    ].map(([, name = '']) => [document, name] as const),
  )
  t.ok(commands.some(([document, name]) => document === 'README.md' && name === 'start'))
  for (const [document, name] of commands) t.ok(scripts[name], `${document}: ${name}`)
  t.strictSame(read('Procfile').trim().split('\n').sort(), [
    `release: ${scripts.migrate}`,
    `web: ${scripts.web}`,
    `worker: ${scripts.worker}`,
  ])
})

t.test('every SQL statement of the operations documents runs on a migrated database', async (t) => {
  const text = read('docs/operations.md') + read('docs/alarms.md')
  const blocks = [...text.matchAll(/^```sql\n([\s\S]*?)^```/gm)].map(([, block = '']) => block)
  const inline = [...text.matchAll(/`(select [^`]+)`/g)].map(([, statement = '']) => statement)
  t.ok(blocks.length > 15 && inline.length > 0)
  await withClient(await createDatabase(), async (client) => {
    for (const statement of [...blocks, ...inline]) {
      await client.query('begin')
      await t.resolves(client.query(statement), statement.slice(0, 80))
      await client.query('rollback')
    }
  })
})

t.test('the operations document lists the fields of orders that are requested and stored', (t) => {
  const [, listed = ''] = /^```text\n(id created_at [^`]+)```/m.exec(read('docs/operations.md')) ?? []
  for (const topic of ['ORDERS_CREATE', 'ORDERS_UPDATED'] as const) {
    t.strictSame(listed.split(/\s+/).filter(Boolean), fieldsOf(topic), topic)
  }
  t.end()
})

t.test('the operations document names every jobs command, with valid arguments', async (t) => {
  const documented = [...read('docs/operations.md').matchAll(/^npm run jobs -- (\S+) ?(.*)$/gm)]
  for (const [line, name, rest = ''] of documented) {
    const command = commands.find((candidate) => candidate.name === name)
    t.ok(command, line)
    if (command) readArgs(splitArguments(rest), command.options, command.operands !== '')
  }
  t.strictSame(
    [...new Set(documented.map(([, name]) => name))].sort(),
    commands.map(({ name }) => name).sort(),
  )
})

t.test('app.json has only known variables, and all that are required', (t) => {
  const { env }: { env: Record<string, { value?: string }> } = JSON.parse(read('app.json'))
  const compileCache = ['NODE_COMPILE_CACHE', 'NODE_COMPILE_CACHE_PORTABLE']
  const known = ['NODE_OPTIONS', 'MALLOC_ARENA_MAX', ...compileCache, ...Object.keys(Environment.properties)]
  for (const name of Object.keys(env)) t.ok(known.includes(name), name)
  const environment = Object.fromEntries(
    Object.entries(env).map(([name, { value }]) => [name, value ?? sample[name] ?? 'x']),
  )
  const heap = Number(/--max-old-space-size=(\d+)/.exec(env.NODE_OPTIONS?.value ?? '')?.[1])
  t.equal(
    heap,
    0.75 * Number(env.MEMORY_LIMIT_MB?.value),
    'the heap limit is three quarters of the memory limit',
  )
  t.doesNotThrow(() =>
    loadConfig({ ...environment, DATABASE_URL: 'postgres://localhost/quartermaster' }, 'worker'),
  )
  t.end()
})

/** Splits a command line as a shell does; only double quotes are supported. */
const splitArguments = (line: string) =>
  (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''))

/** Values for variables that not every text satisfies. */
const sample: Record<string, string> = {
  APP_URL: 'https://quartermaster.example',
  MAIL_FROM: 'orders@quartermaster.example',
  TOKEN_ENCRYPTION_KEYS: Buffer.alloc(32).toString('base64'),
}
