import { globSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { alwaysRun, changedTests } from '../../test/runner/changed-tests.ts'
import type { Mutation } from './mutation.ts'

/** Tests that take long, in this order: those of the browser last. */
const slow = ['test/dev', 'test/worker/queue', 'test/worker/cli', 'test/system', 'test/faults', 'test/web']

/**
 * The tests that can find a fault, nearest first: those that it names; those whose names begin with that of its file; those of its room by the
 * mirror rule; with `isNear` no more, else all others that its file can affect.
 */
export function createTestOrder(
  root: string,
  { isNear }: { isNear: boolean },
): (mutation: Mutation) => string[] {
  const tests = globSync('test/**/*.test.ts', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    // these read files of the repository, and do not run its code
    .filter((file) => !alwaysRun.includes(file))
    .sort()
  const dependencies = new Map<string, string[]>()
  return ({ room, file, near = [] }) => {
    const affected = changedTests(root, tests, [file], dependencies)
    const name = basename(file, extname(file))
    const folders = ['test/api', 'test/shared/domain', 'test/worker/tasks'].map((top) => `${top}/${room}/`)
    const ofRoom = affected.filter((test) => folders.some((folder) => test.startsWith(folder)))
    const others = affected.toSorted((a, b) => slowness(a) - slowness(b))
    const ordered = [...near, ...ofRoom.filter((test) => basename(test).startsWith(name)), ...ofRoom]
    return [...new Set(isNear ? ordered : [...ordered, ...others])]
  }
}

const slowness = (test: string) =>
  test.startsWith('test/web/node/') ? -1 : slow.findIndex((folder) => test.startsWith(`${folder}/`))
