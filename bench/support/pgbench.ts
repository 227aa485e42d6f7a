import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The newest `pgbench` of this machine, which the Postgres packages of npm lack; null without one. */
export const findPgbench = (): string | null =>
  globSync('/usr/lib/postgresql/*/bin/pgbench').toSorted().at(-1) ?? null

/** Repeats a script of SQL with prepared statements; returns the transactions per second. */
export async function pgbench(
  program: string,
  databaseUrl: string,
  { script, clients, seconds }: { script: string; clients: number; seconds: number },
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'quartermaster-pgbench-'))
  try {
    const file = join(folder, 'script.sql')
    await writeFile(file, script)
    const options = [
      '--no-vacuum',
      '--protocol=prepared',
      `--client=${clients}`,
      `--time=${Math.ceil(seconds)}`,
    ]
    const { stdout } = await run(program, [...options, `--file=${file}`, databaseUrl])
    const [, rate] = /tps = ([\d.]+)/.exec(stdout) ?? []
    if (!rate || !/failed transactions: 0 /.test(stdout)) throw new Error(`pgbench failed: ${stdout}`)
    return Number(rate)
  } finally {
    await rm(folder, { recursive: true })
  }
}
