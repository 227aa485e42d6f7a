import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

/** A process id with its start time: together they identify a process even when the system reuses the id. */
export type ProcessId = { pid: number; startedAt: string }

/** Identifies a running process; `undefined` when it does not exist or is a zombie. */
export async function identify(pid: number): Promise<ProcessId | undefined> {
  const startedAt = await (process.platform === 'linux' ? startOnLinux(pid) : startElsewhere(pid))
  return startedAt === undefined ? undefined : { pid, startedAt }
}

export async function isRunning({ pid, startedAt }: ProcessId): Promise<boolean> {
  return (await identify(pid))?.startedAt === startedAt
}

/** Stops a process and its group: SIGTERM, and after `timeoutMs` SIGKILL. */
export async function stopProcess(id: ProcessId, timeoutMs = 5_000): Promise<void> {
  for (const [signal, waitMs] of [
    ['SIGTERM', timeoutMs],
    ['SIGKILL', 5_000],
  ] as const) {
    if (!(await isRunning(id))) return
    signalGroup(id.pid, signal)
    const deadline = Date.now() + waitMs
    while (Date.now() < deadline && (await isRunning(id))) await sleep(50)
  }
}

/** Sends a signal to the process group that `pid` leads, or to the process alone when it leads none. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, signal)
      return
    } catch {
      // the group or process has ended already
    }
  }
}

/** Field 22 of /proc/PID/stat is the time since boot, so the boot id makes it unique. */
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
