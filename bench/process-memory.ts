import { readFile } from 'node:fs/promises'

/** In MiB: what a process has of the system now, and the most it ever had; its threads are in it. */
export type ProcessMemory = { resident: number; peak: number }

export async function readMemory(pid: number | 'self'): Promise<ProcessMemory> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const read = (name: string) => {
    const [, kib] = status.match(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm')) ?? []
    if (kib === undefined) throw new Error(`Process ${pid} does not say its ${name}`)
    return Number(kib) / 1024
  }
  return { resident: read('VmRSS'), peak: read('VmHWM') }
}
