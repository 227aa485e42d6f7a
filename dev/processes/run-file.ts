import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { endProcess, identify, isRunning, type ProcessId } from './processes.ts'

export type NamedProcess = ProcessId & { name: string }
type Run = { starter: ProcessId; children: NamedProcess[] }

/** What this run has started, on disk, so that the next one can end it when this one is killed. */
export type RunFile = {
  setChildren: (children: NamedProcess[]) => void
  remove: () => void
}

/**
 * Claims the folder for this process. Ends what an earlier run left behind when it was killed. Throws, with a
 * sentence for the user, when another `npm start` works in this folder.
 */
export async function claimFolder(dataDir: string): Promise<RunFile> {
  await mkdir(dataDir, { recursive: true })
  const path = join(dataDir, 'run.json')
  const wasThere = existsSync(path)
  const earlier = read(path)
  if (earlier && (await isRunning(earlier.starter))) throw new Error(alreadyRunning(dataDir, earlier.starter))
  await Promise.all((earlier?.children ?? []).map((child) => endProcess(child)))
  // Only what nobody uses: a file that has appeared since then is another's claim.
  if (wasThere) rmSync(path, { force: true })
  const starter = await identify(process.pid)
  if (!starter) throw new Error('This system does not tell when a process began')
  const run: Run = { starter, children: [] }
  claim(path, run, dataDir)
  return {
    setChildren(children) {
      run.children = children
      writeFileSync(`${path}.part`, JSON.stringify(run))
      renameSync(`${path}.part`, path)
    },
    remove: () => rmSync(path, { force: true }),
  }
}

/** A link is made complete or not at all, and by one of two who try at once. */
function claim(path: string, run: Run, dataDir: string): void {
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, JSON.stringify(run))
  try {
    linkSync(draft, path)
  } catch (error) {
    const winner = read(path)
    throw winner ? new Error(alreadyRunning(dataDir, winner.starter)) : error
  } finally {
    rmSync(draft)
  }
}

function alreadyRunning(dataDir: string, { pid }: ProcessId): string {
  return `Another npm start (process ${pid}) already works in ${dataDir}: end it with Ctrl-C there, or give this one a folder and ports of its own: PORT=4000 SIMULATOR_PORT=4001 npm start -- --data FOLDER`
}

function read(path: string): Run | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}
