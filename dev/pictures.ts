import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Graphviz } from '@hpcc-js/wasm-graphviz'

const folder = fileURLToPath(new URL('../docs/pictures', import.meta.url))

/** Draws each `docs/pictures/X.dot`: the SVG by the path that holds it. */
export async function drawPictures(): Promise<Map<string, string>> {
  const graphviz = await Graphviz.load()
  return new Map(
    globSync('*.dot', { cwd: folder })
      .sort()
      .map((name) => [
        join(folder, name.replace(/\.dot$/, '.svg')),
        graphviz.dot(readFileSync(join(folder, name), 'utf8')),
      ]),
  )
}

if (import.meta.main) for (const [path, svg] of await drawPictures()) writeFileSync(path, svg)
