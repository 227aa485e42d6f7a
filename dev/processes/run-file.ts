import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { identify, isRunning, type ProcessId, stopProcess } from './processes.ts'

export type NamedProcess = ProcessId & { name: string }
type Run = { starter: ProcessId; children: NamedProcess[] }

/** The processes of this run, on disk, so that the next run can stop them when this one is killed. */
export type RunFile = {
  setChildren: (children: NamedProcess[]) => void
  remove: () => void
}

/** Stops the processes of a killed run. Throws a message for the user when another `npm start` runs. */
export async function claimFolder(dataDir: string): Promise<RunFile> {
  await mkdir(dataDir, { recursive: true })
  const path = join(dataDir, 'run.json')
  const hadFile = existsSync(path)
  const previous = read(path)
  if (previous && (await isRunning(previous.starter)))
    throw new Error(alreadyRunning(dataDir, previous.starter))
  await Promise.all((previous?.children ?? []).map((child) => stopProcess(child)))
  // Delete only the file that existed before: a newer one is the claim of another process.
  if (hadFile) rmSync(path, { force: true })
  const starter = await identify(process.pid)
  if (!starter) throw new Error('The start time of this process cannot be read')
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

/** Creating a hard link is atomic, and only one of two concurrent processes succeeds. */
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
  return `Another npm start (process ${pid}) already uses ${dataDir}: stop it with Ctrl-C, or give this one its own folder and ports: PORT=4000 SIMULATOR_PORT=4001 npm start -- --data FOLDER`
}

function read(path: string): Run | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}
