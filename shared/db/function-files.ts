import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The source of an SQL function. Its path is from the root of the project, and its file has its name. */
export type FunctionFile = { name: string; path: string; text: string; hash: string }

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The SQL functions of this release: `functions/<name>.sql` of the rooms, by path. */
export async function readFunctionFiles(): Promise<FunctionFile[]> {
  const paths = globSync('shared/domain/**/functions/*.sql', { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
  return Promise.all(
    paths.map(async (path) => {
      const text = await readFile(join(root, path), 'utf8')
      const hash = createHash('sha256').update(text).digest('hex')
      return { name: basename(path, '.sql'), path, text, hash }
    }),
  )
}
