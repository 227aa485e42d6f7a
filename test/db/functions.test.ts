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

t.test('the function files are the functions of the database', async (t) => {
  await withClient(await createDatabase(), async (client) => {
    const { functions } = await readSchema(client)
    for (const { text } of await readFunctionFiles()) await client.query(text)
    t.strictSame((await readSchema(client)).functions, functions)
  })
})
