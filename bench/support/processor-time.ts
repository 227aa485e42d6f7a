import { readdir, readFile } from 'node:fs/promises'

/**
 * Processor time in milliseconds that a process and its children (including exited ones) have used; null where
 * /proc has no data.
 */
export async function processorTime(pid: number): Promise<number | null> {
  const family = await Promise.all((await readdir('/proc').catch(() => [])).map(readStat))
  const times = family.flatMap((stat) => (stat && (stat.pid === pid || stat.parent === pid) ? stat.ms : []))
  return times.length > 0 ? times.reduce((sum, ms) => sum + ms, 0) : null
}

/**
 * Reads proc_pid_stat(5). After the name in parentheses come the state, the parent, and (in hundredths of a second)
 * the times of the process and of its exited children.
 */
async function readStat(pid: string) {
  if (!/^\d+$/.test(pid)) return null
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = text.slice(text.lastIndexOf(') ') + 2).split(' ')
  if (fields.length < 15) return null
  const times = fields.slice(11, 15).map(Number)
  return { pid: Number(pid), parent: Number(fields[1]), ms: times.reduce((sum, time) => sum + time, 0) * 10 }
}
