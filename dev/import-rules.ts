import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'
import { readFunctionFiles } from '../shared/db/function-files.ts'
import { bigFolders, sharedTables, upwardCalls, wrongFloor } from './floors.ts'

/** `from` and `to` are folders or files; `except` lists paths that are allowed in spite of `to`. */
type ImportRule = { from: string; to: readonly string[]; except?: readonly string[]; why: string }

/**
 * Forbidden imports. The allowed direction is `api -> shared <- worker`, `web -> types of shared/schemas` and two files without imports; inside
 * `shared`, `domain -> db, queue, schemas, platform`. `dev`, `test` and `bench` may import everything.
 */
export const importRules: readonly ImportRule[] = [
  { from: 'api', to: outside('api', 'shared'), why: 'api imports api and shared' },
  { from: 'worker', to: outside('worker', 'shared'), why: 'worker imports worker and shared' },
  { from: 'shared', to: outside('shared'), why: 'shared imports shared' },
  { from: 'db', to: outside('db', 'shared'), why: 'db imports db and shared' },
  {
    from: 'web/src',
    to: [...outside('web', 'shared'), 'shared', 'node:'],
    except: ['shared/schemas', 'shared/currency.ts'],
    why: 'web imports web, types of shared/schemas, and what sharedValues names',
  },
  {
    from: 'shared/schemas',
    to: ['shared', 'node:', 'package:'],
    except: ['shared/schemas', 'package:@sinclair/typebox'],
    why: 'shared/schemas imports TypeBox only',
  },
  {
    from: 'shared/platform',
    to: ['shared'],
    except: ['shared/platform', 'shared/config.ts'],
    why: 'shared/platform describes the platform and does not depend on the domain',
  },
  { from: 'shared/domain', to: ['shared/pdf'], why: 'only the worker and web render PDFs' },
  {
    from: 'shared/pdf',
    to: ['shared/domain', 'shared/db', 'shared/queue'],
    why: 'a PDF is rendered from its arguments alone',
  },
  {
    from: 'shared/forecast',
    to: ['shared', 'node:'],
    except: ['shared/forecast'],
    why: 'a forecast is computed from its arguments alone',
  },
  {
    from: 'shared/db',
    to: ['shared/domain', 'shared/queue', 'shared/platform', 'shared/pdf'],
    why: 'the database connection is below the domain',
  },
  { from: 'shared/queue', to: ['shared/domain', 'shared/pdf'], why: 'enqueue is below the domain' },
  {
    from: 'shared/telemetry',
    to: ['shared/domain', 'shared/db', 'shared/queue', 'shared/pdf', 'shared/platform'],
    why: 'logs, metrics and traces know nothing of what they describe',
  },
  ...['shared/labels', 'shared/mail', 'shared/words'].map((from) => ({
    from,
    to: ['shared/domain', 'shared/db', 'shared/queue'],
    why: `${from} writes texts from its arguments alone`,
  })),
  {
    from: 'shared/config.ts',
    to: ['shared/domain', 'shared/db', 'shared/queue', 'shared/pdf', 'shared/telemetry'],
    why: 'configuration is passed as an argument',
  },
]

function outside(...allowed: string[]): string[] {
  return ['api', 'worker', 'shared', 'db', 'web', 'dev', 'test', 'bench'].filter(
    (folder) => !allowed.includes(folder),
  )
}

/** The admin shows the words that the CSV files have, and the decimals of the API. The files bring no other code into the bundle. */
export const sharedValues = [
  'shared/schemas/kind-words.ts',
  'shared/schemas/country-codes.ts',
  'shared/schemas/currency-codes.ts',
  'shared/currency.ts',
]

/** The violations of `file` (a path from the root with `/`), one sentence each. */
export function violationsOf(file: string, code: string): string[] {
  const imports = importsOf(file, code)
  const wrong = importRules
    .filter(({ from }) => isIn(file, from))
    .flatMap(({ to, except = [], why }) =>
      imports
        .filter(({ target }) => to.some((path) => isIn(target, path)))
        .filter(({ target }) => !except.some((path) => isIn(target, path)))
        .map(({ target }) => `${file} imports ${target}: ${why}`),
    )
  const upward = imports.flatMap(({ target }) => {
    const why = wrongFloor(file, target)
    return why === undefined ? [] : [`${file} imports ${target}: ${why}`]
  })
  const values = imports
    .filter(({ target, isType }) => isIn(file, 'web/src') && isIn(target, 'shared') && !isType)
    .filter(({ target }) => !sharedValues.includes(target))
    .map(({ target }) => `${file} imports more than types of ${target}`)
  return [...new Set([...wrong, ...upward, ...values])]
}

/** The files and packages that `file` imports: paths from the root, `node:` or `package:` names. */
export function importsOf(file: string, code: string): { target: string; isType: boolean }[] {
  const { staticImports, staticExports, dynamicImports } = parseSync(file, code).module
  const named = [
    ...staticImports.map(({ moduleRequest, entries }) => ({
      source: moduleRequest.value,
      isType: entries.length > 0 && entries.every(({ isType }) => isType),
    })),
    ...staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) =>
        moduleRequest ? [{ source: moduleRequest.value, isType }] : [],
      ),
    ),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => ({
      source: code.slice(start + 1, end - 1),
      isType: false,
    })),
  ]
  return named.map(({ source, isType }) => ({ target: targetOf(file, source), isType }))
}

function targetOf(file: string, source: string): string {
  if (source.startsWith('.')) return join(dirname(file), source).replaceAll('\\', '/')
  return source.startsWith('node:') ? source : `package:${source}`
}

const isIn = (path: string, folder: string) =>
  path === folder || path.startsWith(folder.endsWith(':') ? folder : `${folder}/`)

if (import.meta.main) {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const files = globSync('{api,worker,shared,db,web}/**/*.{ts,tsx}', { cwd: root })
    .filter((file) => !file.includes('node_modules'))
    .map((file) => file.replaceAll('\\', '/'))
  const codes = files.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  const schema = readFileSync(join(root, 'db/schema.sql'), 'utf8')
  const tables = new Set([...schema.matchAll(/^create table (\w+)/gim)].map(([, table = '']) => table))
  const functions = await readFunctionFiles()
  const violations = [
    ...bigFolders([...files, ...functions.map(({ path }) => path)]),
    ...upwardCalls(
      [...codes, ...functions],
      functions.map(({ path }) => path),
    ),
    ...sharedTables([...codes, ...functions], tables),
    ...codes.flatMap(({ path, text }) => violationsOf(path, text)),
  ]
  for (const violation of violations) console.error(violation)
  if (violations.length > 0) process.exitCode = 1
}
