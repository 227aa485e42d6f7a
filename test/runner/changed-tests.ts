import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { importsOf } from '../../dev/import-rules.ts'

/** A change of these can affect every test. */
const common = ['package.json', 'package-lock.json', '.taprc', 'tsconfig.json', 'test/run.ts']
const isCommon = (file: string) => common.includes(file) || /^test\/runner\/(?!.*\.test\.ts$)/.test(file)

/** Tests of all files of the repository. */
export const alwaysRun = [
  'test/clocks.test.ts',
  'test/docs.test.ts',
  'test/imports.test.ts',
  'test/patterns.test.ts',
]

/** What a file uses without naming it, as patterns: browser tests use the built admin, a migrated database the SQL functions. */
const alsoUses: Record<string, string[]> = {
  'test/support/core/admin.ts': ['web'],
  'shared/db/function-files.ts': ['shared/domain/*/*/functions'],
}

/**
 * The tests that a change of these files can affect. A test depends on:
 * - the files that it imports;
 * - the files and folders that its strings name, from the root or from its own folder, because it starts or reads
 *   them: `startProcess(t, 'api/server.ts', …)`, `new URL('./migrations/', …)`;
 * - what those depend on.
 *
 * Several calls read the files once when they share `dependencies`.
 */
export function changedTests(
  root: string,
  tests: string[],
  changed: string[],
  dependencies = new Map<string, string[]>(),
): string[] {
  if (changed.some(isCommon)) return tests
  const dependenciesOf = (path: string) => {
    const known = dependencies.get(path) ?? readDependencies(root, path)
    dependencies.set(path, known)
    return known
  }
  return tests.filter((test) => {
    const reached = new Set([test])
    for (const path of reached) for (const next of dependenciesOf(path)) reached.add(next)
    return (
      alwaysRun.includes(test) ||
      changed.some((file) => [...reached].some((path) => file === path || file.startsWith(`${path}/`)))
    )
  })
}

/** The files that the branch's commits and the uncommitted changes touch. */
export function changedFiles(root: string): string[] {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
  const [base = 'HEAD'] = git('merge-base', 'HEAD', 'main')
  return [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')]
}

function readDependencies(root: string, path: string): string[] {
  if (!/\.tsx?$/.test(path) || !existsSync(join(root, path))) return []
  const code = readFileSync(join(root, path), 'utf8')
  const imported = importsOf(path, code)
    .filter(({ target, isType }) => !isType && !target.includes(':'))
    .map(({ target }) => target)
  const withoutComments = code.replace(/\/\*\*[\s\S]*?\*\/|^ *\/\/.*$/gm, '')
  const names = withoutComments.match(/(?<=['"`])[\w./-]+(?=['"`])/g) ?? []
  const named = names
    .filter((name) => name.includes('/'))
    .flatMap((name) => [normalize(name), normalize(join(dirname(path), name))])
    .map((name) => name.replaceAll('\\', '/').replace(/\/$/, ''))
    .filter((name) => name !== '.' && !name.startsWith('..') && !name.startsWith('/'))
    .filter((name) => existsSync(join(root, name)))
    .filter((name) => statSync(join(root, name)).isFile() || name.includes('/'))
  const used = globSync(alsoUses[path] ?? [], { cwd: root }).map((name) => name.replaceAll('\\', '/'))
  return [...imported, ...named, ...used]
}
