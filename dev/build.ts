import { createHash } from 'node:crypto'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fillCompileCache } from './compile-cache.ts'
import { sharedValues } from './import-rules.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'web', 'dist')

/** True when the admin was never built, or was built from other sources or packages. */
export async function isBuildNeeded(): Promise<boolean> {
  return (await readStamp()) !== (await hashSources())
}

/**
 * Builds the admin for production into `web/dist`. The build runs in a folder beside it, and a rename replaces the
 * old one: a server is disturbed only during the rename, and two concurrent builds both leave a complete result.
 * Throws when the admin does not compile.
 */
export async function buildAdmin(logLevel: 'info' | 'error' = 'error'): Promise<void> {
  const { build } = await import('vite')
  const sources = await hashSources()
  const outDir = `${dist}-${process.pid}`
  await build({
    configFile: join(root, 'web', 'vite.config.ts'),
    logLevel,
    build: { outDir, emptyOutDir: true },
  })
  await writeFile(join(outDir, 'sources'), sources)
  await rm(dist, { recursive: true, force: true })
  await rename(outDir, dist).catch(async (error: unknown) => {
    await rm(outDir, { recursive: true, force: true })
    if ((await readStamp()) !== sources) throw error
  })
}

const readStamp = () => readFile(join(dist, 'sources'), 'utf8').catch(() => undefined)

/** A hash of all files that the build depends on. Other files of `shared` contribute types only (`import-rules.ts`). */
async function hashSources(): Promise<string> {
  const entries = await readdir(join(root, 'web', 'src'), { recursive: true, withFileTypes: true })
  const sources = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const others = ['web/vite.config.ts', 'web/compressed.ts', 'package-lock.json', ...sharedValues].map(
    (name) => join(root, name),
  )
  const hash = createHash('sha256')
  for (const path of [...sources, ...others].sort())
    hash.update(path.slice(root.length)).update(await readFile(path))
  return hash.digest('hex')
}

if (import.meta.main) {
  await buildAdmin('info')
  // npm finds the Node of the development packages first, and the host runs its own
  await fillCompileCache(process.env.npm_node_execpath ?? process.execPath, process.env)
}
