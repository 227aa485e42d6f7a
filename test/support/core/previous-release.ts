import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { migrationFiles } from '../../../db/migrate.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../..', import.meta.url))

/**
 * Checks out the code before the newest migration in a temporary folder, with its packages. Returns null without a
 * git history, as in a shallow clone.
 */
export async function checkOutPrevious(t: Test): Promise<string | null> {
  const commit = await commitBefore()
  if (commit === null) return null
  const folder = await mkdtemp(join(tmpdir(), 'quartermaster-previous-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  await run('sh', ['-c', 'git archive "$1" | tar -x -C "$2"', 'sh', commit, folder], { cwd: root })
  if (await hasSamePackages(folder)) await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  else
    await run('npm', ['ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit'], {
      cwd: folder,
    })
  return folder
}

async function hasSamePackages(folder: string): Promise<boolean> {
  const [previous, current] = await Promise.all(
    [folder, root].map((path) => readFile(join(path, 'package-lock.json'), 'utf8')),
  )
  return previous === current
}

async function commitBefore(): Promise<string | null> {
  try {
    const file = `db/migrations/${(await migrationFiles()).at(-1)}`
    // a merge that brought the migration counts as its commit
    const added = ['log', '-1', '--format=%H', '--first-parent', '-m', '--diff-filter=A', '--', file]
    const { stdout: newest } = await run('git', added, { cwd: root })
    const { stdout } = await run('git', ['rev-parse', '--verify', `${newest.trim()}^`], { cwd: root })
    return stdout.trim()
  } catch {
    return null
  }
}
