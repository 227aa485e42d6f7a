import { readFile } from 'node:fs/promises'

/**
 * In MiB: what a process has of the system now, the most it ever had, and how much of it are pages of files, which is
 * Node itself; its threads are in it.
 */
export type ProcessMemory = { resident: number; peak: number; files: number }

export async function readMemory(pid: number | 'self'): Promise<ProcessMemory> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const read = (name: string) => {
    const [, kib] = status.match(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm')) ?? []
    if (kib === undefined) throw new Error(`Process ${pid} does not say its ${name}`)
    return Number(kib) / 1024
  }
  return { resident: read('VmRSS'), peak: read('VmHWM'), files: read('RssFile') }
}

/** In MiB, by what a process of ours tells about itself: the heap of its main thread, and what that holds outside. */
export async function readMainThread(metrics: string): Promise<{ heap: number; external: number }> {
  const text = await (await fetch(metrics)).text()
  const read = (name: string) => {
    const [, bytes] = text.match(new RegExp(`^${name}(?:{.*})? (\\S+)$`, 'm')) ?? []
    if (bytes === undefined) throw new Error(`${metrics} does not tell ${name}`)
    return Number(bytes) / 1024 ** 2
  }
  return { heap: read('nodejs_heap_size_total_bytes'), external: read('nodejs_external_memory_bytes') }
}
