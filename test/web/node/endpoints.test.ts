import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { type Endpoint, endpoints } from '../../../shared/schemas/endpoints.ts'
import { startApp } from '../../support/core/app.ts'
import { listEndpoints } from '../../support/core/endpoints.ts'

const root = fileURLToPath(new URL('../../../web/src/', import.meta.url))
const table: Record<string, Endpoint> = endpoints

/** All texts in the admin's source that the pattern matches, once each. */
function textsIn(pattern: RegExp): string[] {
  const sources = globSync('**/*.{ts,tsx}', { cwd: root }).map((file) => readFileSync(root + file, 'utf8'))
  return [...new Set(sources.flatMap((source) => [...source.matchAll(pattern)].map(([, text = '']) => text)))]
}

t.test('the API serves every endpoint that the admin requests', async (t) => {
  const { app } = await startApp(t)
  const served = (await listEndpoints(app)).map(({ name }) => name)
  const requested = textsIn(/'((?:GET|POST|PUT|DELETE) \/[^']*)'/g)
  t.ok(requested.length > 50)
  for (const key of requested) {
    t.ok(Object.hasOwn(table, key), `${key} is in the contract table`)
    const name = key.replace(' /', ' /api/').replace(/:(\w+)/g, '{$1}')
    t.ok(served.includes(name), name)
  }
})

t.test('every list that the admin downloads as CSV has CSV columns', async (t) => {
  const paths = textsIn(/<CsvButton\s+path="([^"]+)"/g)
  t.ok(paths.length >= 10)
  for (const path of paths) t.ok(table[`GET ${path}`]?.csv, path)
})
