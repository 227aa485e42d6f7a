import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { drawPictures } from '../../dev/pictures.ts'
import { withClient } from '../../dev/postgres/database.ts'
import { readSchema } from '../../dev/postgres/schema-dump.ts'
import { schemaFiles } from '../../dev/schema.ts'
import { createDatabase } from '../support/core/database.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const skip = process.env.POSTGRES ? 'the files are printed by the newest Postgres' : false

t.test('the schema files hold what the migrations create (else: npm run schema)', { skip }, async (t) => {
  const files = schemaFiles(await withClient(await createDatabase(), readSchema))
  for (const [path, text] of files) {
    t.ok(existsSync(join(root, path)), path)
    t.equal(readFileSync(join(root, path), 'utf8'), text, path)
  }
})

t.test('each picture is drawn from its source (else: npm run pictures)', async (t) => {
  const pictures = await drawPictures()
  t.ok(pictures.size >= 6)
  for (const [path, svg] of pictures) t.equal(readFileSync(path, 'utf8'), svg, path)
})
