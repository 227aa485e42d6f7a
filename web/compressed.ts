import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

/**
 * Writes a .br and a .gz copy of each file with maximum compression, because not every host compresses responses, and
 * compressing at each request costs time.
 */
export function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      for (const file of Object.values(bundle)) {
        if (!/\.(js|css|svg)$/.test(file.fileName)) continue
        const source = file.type === 'chunk' ? file.code : file.source
        const path = join(dir, file.fileName)
        await writeFile(`${path}.br`, await promisify(brotliCompress)(source))
        await writeFile(`${path}.gz`, await promisify(gzip)(source, { level: 9 }))
      }
    },
  }
}
