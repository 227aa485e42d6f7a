import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { importRules, violationsOf, writeRules } from '../dev/import-rules.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const codeImporting = (source: string) => `import { a } from '${source}'\n\nexport const b = a\n`

/** [a file in the folder of a rule, an import that the rule forbids] */
const forbidden: [string, string][] = [
  ['api/a.ts', '../worker/mail/mailer.ts'],
  ['api/routes/a.ts', '../../worker/platform/admin-api.ts'],
  ['api/routes/a.ts', '../../db/migrate.ts'],
  ['worker/a.ts', '../api/app.ts'],
  ['worker/tasks/stock/a.ts', '../../../api/session/session.ts'],
  ['shared/a.ts', '../db/migrate.ts'],
  ['shared/domain/stock/a.ts', '../../../worker/tasks.ts'],
  ['shared/domain/stock/a.ts', '../../pdf/renderer.ts'],
  ['shared/platform/a.ts', '../domain/shops/credentials.ts'],
  ['shared/pdf/a.ts', '../domain/purchase-orders/document.ts'],
  ['shared/forecast/choice.ts', '../domain/reorder/compute.ts'],
  ['shared/db/a.ts', '../queue/enqueue.ts'],
  ['shared/queue/a.ts', '../domain/stock/move.ts'],
  ['shared/telemetry/a.ts', '../domain/operations/stuck-work.ts'],
  ['shared/labels/a.ts', '../db/db.ts'],
  ['shared/mail/a.ts', '../domain/purchase-orders/mail.ts'],
  ['shared/words/a.ts', '../queue/jobs.ts'],
  ['shared/config.ts', './db/db.ts'],
  ['shared/schemas/a.ts', '../db/db.ts'],
  ['shared/schemas/a.ts', 'slonik'],
  ['db/a.ts', '../dev/postgres/postgres.ts'],
  ['web/src/pages/suppliers/a.ts', '../../../../api/app.ts'],
  ['web/src/pages/suppliers/a.ts', '../../../../shared/domain/suppliers/suppliers.ts'],
  ['web/src/api/a.ts', '../../../shared/html.ts'],
  ['web/src/a.ts', 'node:fs'],
]

const allowed: [string, string][] = [
  ['api/routes/a.ts', '../../shared/domain/suppliers/suppliers.ts'],
  ['api/a.ts', '../shared/db/db.ts'],
  ['worker/tasks/stock/a.ts', '../../platform/admin-api.ts'],
  ['shared/domain/stock/a.ts', '../../db/db.ts'],
  ['shared/schemas/a.ts', './common.ts'],
  ['shared/schemas/a.ts', '@sinclair/typebox'],
  ['db/a.ts', '../shared/config.ts'],
  ['test/a.ts', '../api/app.ts'],
  ['web/src/pages/suppliers/a.ts', '../../api/request.ts'],
]

t.test('the import rules reject every forbidden import and accept the allowed ones', async (t) => {
  for (const [file, source] of forbidden)
    t.not(violationsOf(file, codeImporting(source)).length, 0, `${file} imports ${source}`)
  for (const [file, source] of allowed) t.strictSame(violationsOf(file, codeImporting(source)), [])
  const broken = new Set(forbidden.flatMap(([file, source]) => violationsOf(file, codeImporting(source))))
  for (const { why } of importRules)
    t.ok(
      [...broken].some((violation) => violation.endsWith(why)),
      why,
    )
})

t.test('the import rules find every form of import', async (t) => {
  const forms = [
    `import '../worker/main.ts'`,
    `import type { A } from '../worker/main.ts'`,
    `export * from '../worker/main.ts'`,
    `export const a = () => import('../worker/main.ts')`,
  ]
  for (const code of forms) t.equal(violationsOf('api/a.ts', code).length, 1, code)
})

t.test('the admin imports only types from the server', async (t) => {
  const source = '../../shared/schemas/suppliers.ts'
  t.strictSame(violationsOf('web/src/a.ts', `import type { Supplier } from '${source}'`), [])
  t.match(violationsOf('web/src/a.ts', `import { Supplier } from '${source}'`), [/more than types/])
})

t.test('only the folder that owns a table writes it', async (t) => {
  for (const { tables, owner } of writeRules) {
    for (const table of tables) {
      for (const verb of ['insert into', 'update', 'delete from']) {
        const code = `export const statement = '${verb} ${table} '`
        t.equal(violationsOf('worker/a.ts', code).length, 1, code)
        t.strictSame(violationsOf(`${owner}/a.ts`, code), [])
      }
    }
  }
})

t.test('the code follows the import rules', async (t) => {
  await t.resolves(promisify(execFile)(process.execPath, ['dev/import-rules.ts'], { cwd: root }))
})
