import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type LogView, showLog } from './child-log.ts'
import { identify, signalGroup } from './processes.ts'
import type { NamedProcess } from './run-file.ts'

/** A file of this project to run as a separate process. */
export type ChildSpec = { name: string; file: string; env: Record<string, string | undefined> }

export type Children = {
  /** Runs a process to its end. Throws unless it exits with 0. */
  run: (spec: ChildSpec) => Promise<void>
  /** Starts a process and restarts it whenever it exits, with a growing delay. */
  supervise: (spec: ChildSpec) => void
  /** How often the named process has exited. */
  exits: (name: string) => number
  /** Sends SIGTERM to all and waits; kills the rest after `timeoutMs`. Restarts nothing afterwards. */
  stop: (timeoutMs: number) => Promise<void>
  kill: () => void
}

const firstDelayMs = 500
const maxDelayMs = 10_000
/** After this run time the restart delay is short again. */
const healthyMs = 30_000

/** Each process leads its own group, so that Ctrl-C reaches only this process, which stops them in order. */
export function createChildren(view: LogView, onChange: (running: NamedProcess[]) => void): Children {
  const running = new Map<ChildProcess, NamedProcess | undefined>()
  const exits = new Map<string, number>()
  const stopping = new AbortController()

  const notifyChange = () => onChange([...running.values()].filter((id) => id !== undefined))

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
      notifyChange()
    }
    const [code, signal] = await ended
    running.delete(child)
    notifyChange()
    if (code === 'error') return `did not start: ${signal}`
    return code === 0 ? '' : signal ? `was killed by ${signal}` : `exited with status ${code}`
  }

  async function keepRunning(spec: ChildSpec): Promise<void> {
    let delayMs = firstDelayMs
    while (!stopping.signal.aborted) {
      const startedAt = Date.now()
      const failure = (await launch(spec)) || 'exited'
      if (stopping.signal.aborted) return
      exits.set(spec.name, (exits.get(spec.name) ?? 0) + 1)
      if (Date.now() - startedAt > healthyMs) delayMs = firstDelayMs
      view.write(`${spec.name.padEnd(8)}${failure}; restarting in ${delayMs / 1000} s`)
      await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => {})
      delayMs = Math.min(delayMs * 2, maxDelayMs)
    }
  }

  const signalAll = (signal: NodeJS.Signals) => {
    for (const child of running.keys()) if (child.pid !== undefined) signalGroup(child.pid, signal)
  }

  return {
    async run(spec) {
      const failure = await launch(spec)
      if (failure && !stopping.signal.aborted) throw new Error(`${spec.file} ${failure}`)
    },
    supervise: (spec) => void keepRunning(spec),
    exits: (name) => exits.get(name) ?? 0,
    async stop(timeoutMs) {
      stopping.abort()
      signalAll('SIGTERM')
      const deadline = Date.now() + timeoutMs
      while (running.size > 0 && Date.now() < deadline) await sleep(25)
      if (running.size === 0) return
      view.write(`Some processes did not stop within ${timeoutMs / 1000} s: killing them`)
      signalAll('SIGKILL')
      while (running.size > 0) await sleep(25)
    },
    kill() {
      stopping.abort()
      signalAll('SIGKILL')
    },
  }
}
