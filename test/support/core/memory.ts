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
