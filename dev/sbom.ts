import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

type Package = { dev?: boolean; devDependencies?: unknown }
type LockFile = { packages: Record<string, Package> }

/**
 * Prints the bill of materials of a release (CycloneDX), from the lock file alone. `npm sbom --omit=dev` would leave out
 * each production package that a development package depends on, too, so npm gets the files without these.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const readJson = async <T>(name: string): Promise<T> => JSON.parse(await readFile(join(root, name), 'utf8'))
const manifest = await readJson<Package>('package.json')
const lockFile = await readJson<LockFile>('package-lock.json')

const packages = Object.entries(lockFile.packages)
  .filter(([, { dev }]) => !dev)
  .map(([path, entry]) => [path, { ...entry, devDependencies: {} }])
const folder = await mkdtemp(join(tmpdir(), 'sbom-'))
try {
  const write = (name: string, content: object) => writeFile(join(folder, name), JSON.stringify(content))
  await write('package.json', { ...manifest, devDependencies: {} })
  await write('package-lock.json', { ...lockFile, packages: Object.fromEntries(packages) })
  execFileSync('npm', ['sbom', '--package-lock-only', '--sbom-format=cyclonedx'], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  })
} finally {
  await rm(folder, { recursive: true, force: true })
}
