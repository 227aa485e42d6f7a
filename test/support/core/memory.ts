import { readFileSync } from 'node:fs'

const { env } = JSON.parse(readFileSync(new URL('../../../app.json', import.meta.url), 'utf8'))

/** The memory settings of the host, which `app.json` has. */
export const hostMemory: Record<string, string> = {
  MALLOC_ARENA_MAX: env.MALLOC_ARENA_MAX.value,
  MEMORY_LIMIT_MB: env.MEMORY_LIMIT_MB.value,
  NODE_OPTIONS: env.NODE_OPTIONS.value,
}

/** A figure of a process in MiB, such as `VmHWM`, the most that it has held. Linux only. */
export const mebibytesOf = (pid: number | undefined, name: 'VmRSS' | 'VmHWM') =>
  Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** The processor time that a process has used with all its threads. Linux only; a tick is 10 ms. */
export function processorMsOf(pid: number | undefined): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // the second field, the name of the program in brackets, may contain spaces
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return 10 * (Number(fields[11]) + Number(fields[12]))
}
