import { createHash } from 'node:crypto'
import { cp, readFile, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findProgram, type PostgresProgram } from './program.ts'

/** Where Postgres and its data are, and as whom it runs. */
export type Home = {
  dataDir: string
  bin: string
  version: string
  as: { uid?: number; gid?: number }
  /** The folder that holds both, where they could not stay in their own places. */
  shelter?: string
}

/**
 * Postgres refuses to run as root. Under root it runs as an unprivileged user instead, who must be able to
 * reach its files: where a folder on the way is closed to others, binaries and data move to the system's
 * temporary folder.
 */
export async function chooseHome(dataDir: string): Promise<Home> {
  const program = await findProgram(process.env.POSTGRES)
  const bin = join(program.folder, 'bin')
  if (process.getuid?.() !== 0) return { dataDir, bin, version: program.version, as: {} }
  const as = await unprivilegedUser()
  if ((await isOpenToOthers(program.folder)) && (await isOpenToOthers(dirname(dataDir))))
    return { dataDir, bin, version: program.version, as }
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 12)
  const shelter = join(tmpdir(), `quartermaster-postgres-${name}`)
  return {
    dataDir: join(shelter, 'data'),
    bin: program.isPackage ? join(await copyProgram(program, shelter), 'bin') : bin,
    version: program.version,
    as,
    shelter,
  }
}

/** Copied beside its place and moved when it is complete: a copy that was cut short would pass for one. */
async function copyProgram({ folder, version }: PostgresProgram, shelter: string): Promise<string> {
  const copy = join(shelter, `native-${version}`)
  if (await exists(copy)) return copy
  const draft = `${copy}.new`
  await rm(draft, { recursive: true, force: true })
  await cp(folder, draft, { recursive: true, verbatimSymlinks: true })
  await rename(draft, copy)
  return copy
}

async function unprivilegedUser(): Promise<{ uid: number; gid: number }> {
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody')
  if (!user)
    throw new Error('Postgres does not run as root, and there is no user postgres or nobody to run it as')
  return { uid: Number(user[2]), gid: Number(user[3]) }
}

/** Whether any user may enter `folder`; folders that are not there yet will be made open. */
async function isOpenToOthers(folder: string): Promise<boolean> {
  const info = await stat(folder).catch(() => undefined)
  if (info && (info.mode & 0o001) === 0) return false
  return folder === dirname(folder) || isOpenToOthers(dirname(folder))
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined
}
