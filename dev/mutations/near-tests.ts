import { basename, extname } from 'node:path'
import { alwaysRun, changedTests } from '../../test/runner/changed-tests.ts'
import { durationsFile, findTests, readDurations } from '../../test/runner/test-files.ts'
import type { Mutation } from './mutation.ts'

/**
 * The tests that can find a fault, nearest first: those that it names; those whose names begin with that of its file; those of its room by the
 * mirror rule; with `isNear` no more, else all others that its file can affect, the quickest first.
 */
export function createTestOrder(
  root: string,
  { isNear }: { isNear: boolean },
): (mutation: Mutation) => string[] {
  // the others read files of the repository, and do not run its code
  const tests = findTests(root, ['test']).filter((file) => !alwaysRun.includes(file))
  const { secondsOf } = readDurations(durationsFile(root))
  const dependencies = new Map<string, string[]>()
  return ({ room, file, near = [] }) => {
    const affected = changedTests(root, tests, [file], dependencies)
    const name = basename(file, extname(file))
    const folders = ['test/api', 'test/shared/domain', 'test/worker/tasks'].map((top) => `${top}/${room}/`)
    const ofRoom = affected.filter((test) => folders.some((folder) => test.startsWith(folder)))
    const others = affected.toSorted((a, b) => secondsOf(a) - secondsOf(b))
    const ordered = [...near, ...ofRoom.filter((test) => basename(test).startsWith(name)), ...ofRoom]
    return [...new Set(isNear ? ordered : [...ordered, ...others])]
  }
}
