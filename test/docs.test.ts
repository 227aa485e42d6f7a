import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { Environment } from '../shared/config.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const documents = [
  'README.md',
  ...['architecture', 'decisions', 'operations', 'style'].map((name) => `docs/${name}.md`),
]

t.test('.env.example has every variable once, in order', async (t) => {
  const names = [...read('.env.example').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name)
  t.strictSame(names, Object.keys(Environment.properties))
})

t.test('every decision is pinned by a test that is there', async (t) => {
  const rows = read('docs/decisions.md')
    .split('\n')
    .filter((row) => /^\| (?!question|-)/.test(row))
  t.ok(rows.length > 20)
  for (const row of rows) {
    const [, path = ''] = /`([^`]+\.test\.ts)` \|$/.exec(row) ?? []
    t.ok(path !== '' && existsSync(join(root, path)), row.slice(0, 60))
  }
})

t.test('links between documents, and the files that they name, lead somewhere', async (t) => {
  for (const document of documents) {
    const text = read(document)
    for (const [, target = ''] of text.matchAll(/\]\(([^)#:]+)\)/g)) {
      t.ok(existsSync(join(root, dirname(document), target)), `${document}: ${target}`)
    }
    for (const [, path = ''] of text.matchAll(/`((?:api|worker|shared|db|dev|test|web)\/[\w./-]+)`/g)) {
      t.ok(/X\.|X\/|XX/.test(path) || existsSync(join(root, path)), `${document}: ${path}`)
    }
  }
})

t.test('the commands of the README are those of package.json', async (t) => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'))
  for (const name of ['start', 'test', 'build', 'web', 'worker', 'migrate']) t.ok(scripts[name], name)
  t.strictSame(read('Procfile').trim().split('\n').sort(), [
    `release: ${scripts.migrate}`,
    `web: ${scripts.web}`,
    `worker: ${scripts.worker}`,
  ])
})
