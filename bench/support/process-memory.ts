import { readFile } from 'node:fs/promises'

/**
 * Memory of a process with all its threads, in MiB: resident now, the peak, and file-backed pages
 * (mainly the Node binary).
 */
export type ProcessMemory = { resident: number; peak: number; files: number }

export async function readMemory(pid: number | 'self'): Promise<ProcessMemory> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const read = (name: string) => {
    const [, kib] = status.match(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm')) ?? []
    if (kib === undefined) throw new Error(`/proc/${pid}/status has no ${name}`)
    return Number(kib) / 1024
  }
  return { resident: read('VmRSS'), peak: read('VmHWM'), files: read('RssFile') }
}

/** The heap of a process's main thread and its external memory in MiB, from the process's metrics. */
export async function readMainThread(metrics: string): Promise<{ heap: number; external: number }> {
  const text = await (await fetch(metrics)).text()
  const read = (name: string) => {
    const [, bytes] = text.match(new RegExp(`^${name}(?:{.*})? (\\S+)$`, 'm')) ?? []
    if (bytes === undefined) throw new Error(`${metrics} has no metric ${name}`)
    return Number(bytes) / 1024 ** 2
  }
  return { heap: read('nodejs_heap_size_total_bytes'), external: read('nodejs_external_memory_bytes') }
}
