import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { domainFolder } from '../../dev/floors.ts'
import { importsOf } from '../../dev/import-rules.ts'
import { roomOf } from '../../shared/domain/floors.ts'

/** Tests have the name of their room as a folder, without its floor. */
const roomOfTest = (file: string) =>
  /^test\/(?:api|worker\/tasks|shared\/domain\/[^/]+)\/([^/]+)\//.exec(file)?.[1]

/**
 * Orders tests by how near they are to the changed rooms of the domain, so that the first ones find a fault soonest: those of a changed
 * room (1), those of a room that imports it (2), and so on up the rooms; then tests of no room. Tests keep their order where
 * they are equally near.
 */
export function nearestFirst(root: string, tests: readonly string[], changed: readonly string[]): string[] {
  const steps = stepsFrom(
    changed.flatMap((file) => roomOf(file)?.room ?? roomOfTest(file) ?? []),
    roomImports(root),
  )
  const rank = (test: string) => {
    if (changed.includes(test)) return 0
    const room = roomOfTest(test)
    return (room === undefined ? undefined : steps.get(room)) ?? Number.MAX_SAFE_INTEGER
  }
  return tests.toSorted((a, b) => rank(a) - rank(b))
}

/** The first tests, whose seconds are at most `maxSeconds` together, and at least one. */
export function takeWithin(
  tests: readonly string[],
  secondsOf: (file: string) => number,
  maxSeconds: number,
): string[] {
  let seconds = 0
  return tests.filter((test, at) => {
    seconds += secondsOf(test)
    return at === 0 || seconds <= maxSeconds
  })
}

/** The room that imports, and what it imports. */
type RoomImport = { from: string; to: string }

function roomImports(root: string): RoomImport[] {
  return globSync(`${domainFolder}/**/*.ts`, { cwd: root }).flatMap((path) => {
    const file = path.replaceAll('\\', '/')
    const from = roomOf(file)?.room
    return importsOf(file, readFileSync(join(root, file), 'utf8')).flatMap(({ target }) => {
      const to = roomOf(target)?.room
      return from && to && from !== to ? [{ from, to }] : []
    })
  })
}

/** How many steps up the imports each room is away from the rooms; 1 for these rooms themselves. */
function stepsFrom(rooms: readonly string[], imports: readonly RoomImport[]): Map<string, number> {
  const steps = new Map(rooms.map((room) => [room, 1]))
  // a map visits what is added meanwhile
  for (const [room, step] of steps)
    for (const { from, to } of imports) if (to === room && !steps.has(from)) steps.set(from, step + 1)
  return steps
}
