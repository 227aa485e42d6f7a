import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type LogView, showLog } from './child-log.ts'
import { identify, signalGroup } from './processes.ts'
import type { NamedProcess } from './run-file.ts'

/** A file of this project that runs as a process of its own. */
export type ChildSpec = { name: string; file: string; env: Record<string, string | undefined> }

export type Children = {
  /** Runs one to its end. Throws when that is not 0. */
  run: (spec: ChildSpec) => Promise<void>
  /** Starts one, and again whenever it ends, each time a little later. */
  keep: (spec: ChildSpec) => void
  /** How often the named one has ended. */
  endings: (name: string) => number
  /** Asks all to end and waits; after `patienceMs` they are killed. Nothing is started any more. */
  stop: (patienceMs: number) => Promise<void>
  kill: () => void
}

const firstDelayMs = 500
const maxDelayMs = 10_000
/** One that lived so long had a good start: the next delay is short again. */
const healthyMs = 30_000

/**
 * The processes of one `npm start`. They lead process groups of their own, so that Ctrl-C reaches only us and we
 * end them in order. `onChange` hears who runs, each time that changes.
 */
export function createChildren(view: LogView, onChange: (running: NamedProcess[]) => void): Children {
  const running = new Map<ChildProcess, NamedProcess | undefined>()
  const endings = new Map<string, number>()
  const stopping = new AbortController()

  const changed = () => onChange([...running.values()].filter((id) => id !== undefined))

  async function launch({ name, file, env }: ChildSpec): Promise<string> {
    const child = spawn(process.execPath, [fileURLToPath(new URL(`../../${file}`, import.meta.url))], {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      detached: true,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const ended = once(child, 'exit').catch((error: unknown) => ['error', error])
    running.set(child, undefined)
    showLog(child.stdout, name, view)
    showLog(child.stderr, name, view)
    if (child.pid !== undefined) {
      const id = await identify(child.pid)
      if (id && running.has(child)) running.set(child, { name, ...id })
      changed()
    }
    const [code, signal] = await ended
    running.delete(child)
    changed()
    if (code === 'error') return `could not start: ${signal}`
    return code === 0 ? '' : signal ? `was ended by ${signal}` : `ended with status ${code}`
  }

  async function keepRunning(spec: ChildSpec): Promise<void> {
    let delayMs = firstDelayMs
    while (!stopping.signal.aborted) {
      const startedAt = Date.now()
      const fault = (await launch(spec)) || 'ended'
      if (stopping.signal.aborted) return
      endings.set(spec.name, (endings.get(spec.name) ?? 0) + 1)
      if (Date.now() - startedAt > healthyMs) delayMs = firstDelayMs
      view.write(`${spec.name.padEnd(8)}${fault}; starting it again in ${delayMs / 1000} s`)
      await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => {})
      delayMs = Math.min(delayMs * 2, maxDelayMs)
    }
  }

  const signalAll = (signal: NodeJS.Signals) => {
    for (const child of running.keys()) if (child.pid !== undefined) signalGroup(child.pid, signal)
  }

  return {
    async run(spec) {
      const fault = await launch(spec)
      if (fault && !stopping.signal.aborted) throw new Error(`${spec.file} ${fault}`)
    },
    keep: (spec) => void keepRunning(spec),
    endings: (name) => endings.get(name) ?? 0,
    async stop(patienceMs) {
      stopping.abort()
      signalAll('SIGTERM')
      const deadline = Date.now() + patienceMs
      while (running.size > 0 && Date.now() < deadline) await sleep(25)
      if (running.size === 0) return
      view.write(`Not everything ended within ${patienceMs / 1000} s: killing the rest`)
      signalAll('SIGKILL')
      while (running.size > 0) await sleep(25)
    },
    kill() {
      stopping.abort()
      signalAll('SIGKILL')
    },
  }
}
