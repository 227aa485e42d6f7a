import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The modules that `web` and `worker` load when they start. Importing them starts nothing. */
const importAll = `await import('./api/server.ts'); await import('./worker/main.ts'); process.exit(0)`

/**
 * Stores the compiled code of `web` and `worker` in the folder NODE_COMPILE_CACHE of `env`; does nothing without it. A
 * process that finds the code does not load Node's compiler for TypeScript, which needs 15 MB for as long as the process runs.
 * `node` is the path of Node: Node finds the code only with the same version and the same NODE_OPTIONS. Rejects when a module
 * does not load.
 */
export async function fillCompileCache(node: string, env: NodeJS.ProcessEnv): Promise<void> {
  if (!env.NODE_COMPILE_CACHE) return
  await promisify(execFile)(node, ['--input-type=module', '--eval', importAll], { cwd: root, env })
}
