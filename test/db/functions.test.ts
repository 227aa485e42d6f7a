import t from 'tap'
import { withClient } from '../../dev/postgres/database.ts'
import { readSchema } from '../../dev/postgres/schema-dump.ts'
import { readFunctionFiles } from '../../shared/db/function-files.ts'
import { createDatabase } from '../support/core/database.ts'

t.test('each function file has the function of its name, and begins with a docstring', async (t) => {
  for (const { name, path, text } of await readFunctionFiles()) {
    t.match(text, new RegExp(`^(-- .+\\n)+create or replace function ${name}\\(`), path)
    t.equal(text.match(/create or replace function/g)?.length, 1, path)
    t.match(text, /^-- Why SQL: /m, `${path} says why it is in SQL`)
  }
})

t.test('a migrated database has the functions of the files, and those that its indexes use', async (t) => {
  const { functions, indexFunctions } = await withClient(await createDatabase(), readSchema)
  const ofIndexes = indexFunctions.map(({ name }) => name)
  t.strictSame(ofIndexes, ['scan_code'])
  const names = (await readFunctionFiles()).map(({ name }) => name)
  t.strictSame(functions.map(({ name }) => name).sort(), [...names, ...ofIndexes].sort())
})
