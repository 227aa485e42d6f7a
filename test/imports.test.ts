import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import {
  bigFolders,
  bookedTables,
  domainFolder,
  maxFilesOfFolder,
  sharedTables,
  upwardCalls,
} from '../dev/floors.ts'
import { importRules, violationsOf } from '../dev/import-rules.ts'
import { readFunctionFiles } from '../shared/db/function-files.ts'
import { floors } from '../shared/domain/floors.ts'

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
  ['shared/domain/ledgers/stock/a.ts', '../../../../worker/tasks.ts'],
  ['shared/domain/ledgers/stock/a.ts', '../../../pdf/renderer.ts'],
  ['shared/platform/a.ts', '../domain/records/shops/credentials.ts'],
  ['shared/pdf/a.ts', '../domain/documents/purchase-orders/document.ts'],
  ['shared/forecast/choice.ts', '../domain/planning/reorder/compute.ts'],
  ['shared/db/a.ts', '../queue/enqueue.ts'],
  ['shared/queue/a.ts', '../domain/ledgers/stock/move.ts'],
  ['shared/telemetry/a.ts', '../domain/kit/operations/stuck-work.ts'],
  ['shared/labels/a.ts', '../db/db.ts'],
  ['shared/mail/a.ts', '../domain/documents/purchase-orders/mail.ts'],
  ['shared/words/a.ts', '../queue/jobs.ts'],
  ['shared/config.ts', './db/db.ts'],
  ['shared/schemas/a.ts', '../db/db.ts'],
  ['shared/schemas/a.ts', 'slonik'],
  ['db/a.ts', '../dev/postgres/postgres.ts'],
  ['web/src/pages/suppliers/a.ts', '../../../../api/app.ts'],
  ['web/src/pages/suppliers/a.ts', '../../../../shared/domain/records/suppliers/suppliers.ts'],
  ['web/src/api/a.ts', '../../../shared/html.ts'],
  ['web/src/a.ts', 'node:fs'],
]

const allowed: [string, string][] = [
  ['api/routes/a.ts', '../../shared/domain/records/suppliers/suppliers.ts'],
  ['api/a.ts', '../shared/db/db.ts'],
  ['worker/tasks/stock/a.ts', '../../platform/admin-api.ts'],
  ['shared/domain/ledgers/stock/a.ts', '../../../db/db.ts'],
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

t.test('an import of the domain goes to a lower floor or to an earlier room', async (t) => {
  const importing = (file: string, target: string) => {
    const up = '../'.repeat(file.split('/').length - 1)
    return violationsOf(`shared/domain/${file}`, codeImporting(`${up}${target}`)).length
  }
  const listed = Object.entries(floors).flatMap(([floor, rooms]) => rooms.map((room) => `${floor}/${room}`))
  for (const [at, room] of listed.entries()) {
    for (const [place, target] of listed.entries()) {
      const isUp = place > at
      t.equal(importing(`${room}/a.ts`, `${target}/b.ts`), isUp ? 1 : 0, `${room} imports ${target}`)
    }
  }
  t.equal(importing('kit/search.ts', 'kit/pages/pages.ts'), 1, 'a room of one file')
  t.equal(importing('ledgers/prices/a.ts', 'kit/search.ts'), 1, 'a room that is not listed')
  t.equal(importing('ledgers/stock/a.ts', 'records/prices/b.ts'), 1, 'an import of a room that is not listed')
})

t.test('the floors list the folders of the domain', async (t) => {
  const root = new URL('../shared/domain/', import.meta.url)
  const folders = readdirSync(root).filter((name) => name !== 'floors.ts')
  t.strictSame(folders.sort(), Object.keys(floors).sort())
  for (const [floor, rooms] of Object.entries(floors)) {
    const found = readdirSync(new URL(`${floor}/`, root)).map((name) => name.replace(/\.ts$/, ''))
    t.strictSame(found.sort(), [...rooms].sort(), floor)
  }
})

t.test('a function calls functions of its room, of earlier rooms and of lower floors', async (t) => {
  const file = (room: string, name: string, text = '') => ({
    path: `shared/domain/${room}/functions/${name}.sql`,
    text: `create or replace function ${name}() ... ${text}`,
  })
  const down = [file('ledgers/stock', 'move', 'perform push()'), file('ledgers/stock', 'push')]
  const paths = down.map(({ path }) => path)
  t.strictSame(upwardCalls([...down, file('ledgers/costs', 'book', 'perform move()')], paths), [])
  const up = { path: 'shared/domain/records/shops/digits.ts', text: 'select move(1)' }
  for (const caller of [file('records/shops', 'digits', 'select move(1)'), up]) {
    t.match(upwardCalls([...down, caller], paths), [
      /^shared\/domain\/records\/shops\/.* calls .*\/move\.sql: /,
    ])
  }
})

t.test('a folder of the domain has at most 20 files', async (t) => {
  const filesOf = (folder: string, count: number) =>
    Array.from({ length: count }, (_, at) => `shared/domain/${folder}/file-${at}.ts`)
  t.equal(maxFilesOfFolder, 20)
  const second = filesOf('ledgers/stock/bins', 20)
  t.strictSame(bigFolders([...filesOf('ledgers/stock', 20), ...second, ...filesOf('kit/csv', 21)]), [])
  t.strictSame(bigFolders([...filesOf('ledgers/stock', 21), ...second]), [
    'shared/domain/ledgers/stock has 21 files: more than 20',
  ])
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

t.test('one room writes a table', async (t) => {
  const tables = new Set(['alert', 'variant'])
  const writing = (path: string, statement: string) => ({ path, text: `export const s = '${statement} '` })
  const own = [
    writing('shared/domain/kit/alerts/a.ts', 'insert into alert'),
    writing('shared/domain/kit/alerts/parts/b.ts', 'update alert'),
    writing('worker/tasks/a.ts', 'select from alert'),
    writing('worker/tasks/b.ts', 'insert into notes'),
  ]
  t.strictSame(sharedTables(own, tables), [])
  for (const statement of ['insert into alert', 'update alert', 'delete from alert']) {
    for (const file of [
      'shared/domain/ledgers/stock/a.ts',
      'shared/domain/kit/csv/a.ts',
      'worker/tasks/c.ts',
      'shared/domain/ledgers/costs/functions/book.sql',
    ]) {
      t.match(sharedTables([...own, writing(file, statement)], tables), [/ write alert: one room/], file)
    }
  }
})

t.test('the functions of a room write the tables that they book, and the list has no others', async (t) => {
  const functions = await readFunctionFiles()
  for (const [room, booked] of Object.entries(bookedTables)) {
    const own = functions.filter(({ path }) => path.startsWith(`${domainFolder}/${room}/`))
    for (const table of booked) {
      const isWritten = own.some(({ text }) =>
        new RegExp(`(insert into|update|delete from) ${table}\\b`).test(text),
      )
      t.ok(isWritten, `${room} writes ${table}`)
      const byCode = own.map(({ text }) => ({ path: `${domainFolder}/${room}/a.ts`, text }))
      const owner = { path: 'worker/tasks/a.ts', text: `update ${table} set` }
      t.equal(sharedTables([...own, owner], new Set([table])).length, 0, 'a function may')
      t.equal(sharedTables([...byCode, owner], new Set([table])).length, 1, 'TypeScript may not')
    }
  }
})

t.test('the code follows the import rules', async (t) => {
  await t.resolves(promisify(execFile)(process.execPath, ['dev/import-rules.ts'], { cwd: root }))
})
