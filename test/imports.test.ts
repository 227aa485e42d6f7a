import { execFile } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'

const root = fileURLToPath(new URL('..', import.meta.url))
const biome = join(root, 'node_modules', '.bin', 'biome')

const forbidden = {
  'api/a.ts': '../worker/email.ts',
  'api/routes/b.ts': '../../db/migrate.ts',
  'worker/c.ts': '../api/app.ts',
  'worker/tasks/d.ts': '../../api/session.ts',
  'shared/e.ts': '../db/migrate.ts',
  'shared/domain/f.ts': '../../worker/tasks.ts',
  'shared/schemas/g.ts': '../db.ts',
  'shared/schemas/h.ts': 'slonik',
  'db/i.ts': '../dev/postgres.ts',
  'web/src/pages/orders/j.ts': '../../../../api/app.ts',
  'web/src/pages/orders/jj.ts': '../../../../shared/domain/suppliers.ts',
  'web/src/api/jjj.ts': '../../../shared/html.ts',
  'web/src/jjjj.ts': 'node:fs',
}

const allowed = {
  'api/routes/k.ts': '../../shared/domain/suppliers.ts',
  'api/l.ts': '../shared/db.ts',
  'worker/tasks/m.ts': '../task.ts',
  'shared/domain/n.ts': '../db.ts',
  'shared/schemas/o.ts': './common.ts',
  'shared/schemas/p.ts': '@sinclair/typebox',
  'db/q.ts': '../shared/config.ts',
  'test/r.ts': '../api/app.ts',
  'web/src/pages/orders/s.ts': '../../../../shared/schemas/suppliers.ts',
  'web/src/pages/orders/ss.ts': '../../api/request.ts',
  'web/src/api/sss.ts': '../../../shared/schemas/suppliers.ts',
}

t.test('the linter refuses every import against the direction of the layers, and no other', async (t) => {
  const folder = t.testdir({ '.gitignore': 'node_modules\n' })
  copyFileSync(join(root, 'biome.json'), join(folder, 'biome.json'))
  for (const [file, source] of Object.entries({ ...forbidden, ...allowed })) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), `import { a } from '${source}'\n\nexport const b = a\n`)
  }

  const rule = '--only=style/noRestrictedImports'
  const lint = promisify(execFile)(biome, ['lint', rule, '--reporter=json', '--max-diagnostics=100'], {
    cwd: folder,
  })
  const { stdout } = await lint.catch((error: { stdout: string }) => error)

  const { diagnostics }: { diagnostics: { location: { path: string } }[] } = JSON.parse(stdout)
  t.strictSame(diagnostics.map(({ location }) => location.path).sort(), Object.keys(forbidden).sort())
})

t.test('the admin takes nothing but types from the server', async (t) => {
  const files = globSync('web/src/**/*.{ts,tsx}', { cwd: root })
  t.ok(files.length > 20)
  for (const file of files) {
    const imports =
      readFileSync(join(root, file), 'utf8').match(/^import [^']*'[^']*\/shared\/[^']*'/gm) ?? []
    for (const line of imports) t.match(line, /^import type /, file)
  }
})
