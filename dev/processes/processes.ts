import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

/** A process, and when it began: together they name it even after its number is given to another. */
export type ProcessId = { pid: number; startedAt: string }

/** Names a running process; `undefined` when there is none, or only its remains. */
export async function identify(pid: number): Promise<ProcessId | undefined> {
  const startedAt = await (process.platform === 'linux' ? startOnLinux(pid) : startElsewhere(pid))
  return startedAt === undefined ? undefined : { pid, startedAt }
}

export async function isRunning({ pid, startedAt }: ProcessId): Promise<boolean> {
  return (await identify(pid))?.startedAt === startedAt
}

/** Ends a process and whatever it started in its group: politely, and after `patienceMs` by force. */
export async function endProcess(id: ProcessId, patienceMs = 5_000): Promise<void> {
  for (const [signal, waitMs] of [
    ['SIGTERM', patienceMs],
    ['SIGKILL', 5_000],
  ] as const) {
    if (!(await isRunning(id))) return
    signalGroup(id.pid, signal)
    const deadline = Date.now() + waitMs
    while (Date.now() < deadline && (await isRunning(id))) await sleep(50)
  }
}

/** Our processes lead a group of their own; one that no longer does gets the signal alone. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, signal)
      return
    } catch {
      // no such group or process: it has ended meanwhile
    }
  }
}

/** Field 22 of /proc/PID/stat counts from the boot, so the boot belongs to it. */
async function startOnLinux(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (stat === undefined) return undefined
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (state === 'Z' || state === 'X') return undefined
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')
  return `${boot.trim()} ${fields[18]}`
}

async function startElsewhere(pid: number): Promise<string | undefined> {
  const ps = promisify(execFile)('ps', ['-o', 'state=,lstart=', '-p', String(pid)])
  const { stdout } = await ps.catch(() => ({ stdout: '' }))
  const [state = '', ...startedAt] = stdout.trim().split(/\s+/)
  return state === '' || state.startsWith('Z') ? undefined : startedAt.join(' ')
}
