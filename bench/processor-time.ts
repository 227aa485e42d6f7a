import { readdir, readFile } from 'node:fs/promises'

/** Milliseconds of processor time that a process and its children have used; null where /proc does not tell. */
export async function processorTime(pid: number): Promise<number | null> {
  const family = await Promise.all((await readdir('/proc').catch(() => [])).map(readStat))
  const times = family.flatMap((stat) => (stat && (stat.pid === pid || stat.parent === pid) ? stat.ms : []))
  return times.length > 0 ? times.reduce((sum, ms) => sum + ms, 0) : null
}

/** proc_pid_stat(5): behind the name in parentheses come the state, the parent, and the times in hundredths of a second. */
async function readStat(pid: string) {
  if (!/^\d+$/.test(pid)) return null
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = text.slice(text.lastIndexOf(') ') + 2).split(' ')
  const [parent, user, system] = [fields[1], fields[11], fields[12]].map(Number)
  if (parent === undefined || user === undefined || system === undefined) return null
  return { pid: Number(pid), parent, ms: (user + system) * 10 }
}
