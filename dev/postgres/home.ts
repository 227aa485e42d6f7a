import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, cp, lstat, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findProgram, type PostgresProgram } from './program.ts'

/** The folders of Postgres and its data, and the user that it runs as. */
export type Home = {
  dataDir: string
  bin: string
  version: string
  user: { uid?: number; gid?: number }
  /** The temporary folder with both, when they cannot stay in their own places. */
  sharedFolder?: string
}

/** Prepares the folders of Postgres: copies its binaries when they have to move (`locateData`). */
export async function chooseHome(dataDir: string): Promise<Home> {
  const program = await findProgram(process.env.POSTGRES)
  const { folder, version, isPackage } = program
  const located = await locateData(dataDir)
  const user = process.getuid?.() === 0 ? await unprivilegedUser() : {}
  const { sharedFolder } = located
  const ownFolder = sharedFolder && isPackage ? await copyProgram(program, sharedFolder) : folder
  return { ...located, bin: join(ownFolder, 'bin'), version, user }
}

/**
 * Where the data of `dataDir` really are. Postgres refuses to run as root, so root starts it as an unprivileged user. That
 * user must reach the files: when a parent folder is closed to other users, binaries and data move to the system's
 * temporary folder.
 */
export async function locateData(dataDir: string): Promise<Pick<Home, 'dataDir' | 'sharedFolder'>> {
  const { folder } = await findProgram(process.env.POSTGRES)
  if (process.getuid?.() !== 0) return { dataDir }
  if ((await isOpenToOthers(folder)) && (await isOpenToOthers(dirname(dataDir)))) return { dataDir }
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 12)
  const sharedFolder = join(tmpdir(), `quartermaster-postgres-${name}`)
  return { dataDir: join(sharedFolder, 'data'), sharedFolder }
}

/** Copies to another name and renames at the end, so that an interrupted copy is never used. */
async function copyProgram({ folder, version }: PostgresProgram, sharedFolder: string): Promise<string> {
  const copy = join(sharedFolder, `native-${version}`)
  if (existsSync(copy)) return copy
  const draft = `${copy}.new`
  await rm(draft, { recursive: true, force: true })
  await cp(folder, draft, { recursive: true, verbatimSymlinks: true })
  // not the data beside the copy: Postgres refuses a folder of data that others may read
  await chmod(sharedFolder, 0o755)
  await openToOthers(draft)
  await rename(draft, copy)
  return copy
}

/**
 * Lets all users read what the owner reads, and run what the owner runs. With a umask as 077 npm and `cp` make files for their owner
 * alone, and Postgres runs as another user.
 */
async function openToOthers(path: string): Promise<void> {
  const info = await lstat(path)
  if (info.isSymbolicLink()) return
  const isExecutable = (info.mode & 0o100) !== 0
  await chmod(path, info.mode | (isExecutable ? 0o555 : 0o444))
  if (info.isDirectory()) for (const name of await readdir(path)) await openToOthers(join(path, name))
}

async function unprivilegedUser(): Promise<{ uid: number; gid: number }> {
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody')
  if (!user)
    throw new Error('Postgres does not run as root, and there is no user postgres or nobody to run it as')
  return { uid: Number(user[2]), gid: Number(user[3]) }
}

/** True when any user may enter `folder`. Missing folders count as open: they will be created so. */
async function isOpenToOthers(folder: string): Promise<boolean> {
  const info = await stat(folder).catch(() => undefined)
  if (info && (info.mode & 0o001) === 0) return false
  return folder === dirname(folder) || isOpenToOthers(dirname(folder))
}
