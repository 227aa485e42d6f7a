import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parsePlPgSQLSync, parseSync } from 'libpg-query'
import { classOf } from '../../db/distribute.ts'
import { exceptions } from './exceptions.ts'
import { parseTemplate } from './parse-template.ts'
import { readTemplates } from './read-templates.ts'
import { columnOf, mixesJobs, type Violation, violationsOf } from './rules.ts'

export type Found = Violation & { file: string; line: number }

/** The tables with a column shop_id in `db/schema.sql` that are distributed. */
export function readShopTables(schema: string): Set<string> {
  const tables = [...schema.matchAll(/^create table (\w+) \(\n([\s\S]*?)\n\)/gm)]
  return new Set(
    tables.flatMap(([, name = '', columns = '']) =>
      classOf({ name, hasShop: /^ {2}shop_id /m.test(columns) }) === 'distributed' ? [name] : [],
    ),
  )
}

/** The violations in a file of TypeScript, whose path begins at the project's root. */
export function violationsOfFile(file: string, code: string, shopTables: ReadonlySet<string>): Found[] {
  return readTemplates(file, code).flatMap((template) => {
    const { line } = template
    try {
      const { tree, shopParameters, isPartial } = parseTemplate(template)
      const isShop = (expression: Record<string, unknown>) => {
        const { ParamRef } = expression as { ParamRef?: { number: number } }
        return ParamRef !== undefined && shopParameters.has(ParamRef.number)
      }
      const found = violationsOf({ tree, shopTables, isShop, isPartial })
      if (mixesJobs(tree, shopTables)) found.push({ table: 'graphile_worker', text: mixture })
      return found.map((violation) => ({ ...violation, file, line }))
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      return [{ file, line, table: '', text: `the parser of Postgres does not understand it: ${reason}` }]
    }
  })
}

const mixture =
  'it adds jobs and reads tables of shops: read first, then add the jobs in a statement of their own'

/** The violations in the body of an SQL function. Its argument `in_shop` is the shop. */
export function violationsOfFunction(file: string, text: string, shopTables: ReadonlySet<string>): Found[] {
  const isShop = (expression: Record<string, unknown>) => columnOf(expression).join('.') === 'in_shop'
  return statementsOf(text).flatMap((statement) => {
    const tree = parseSync(statement)
    return violationsOf({ tree, shopTables, isShop, isPartial: false }).map((violation) => ({
      ...violation,
      file,
      line: 1,
    }))
  })
}

/** The statements and expressions in the body of a function. */
function statementsOf(text: string): string[] {
  const [body] = valuesOf(parseSync(text), 'as') as { List: { items: { String: { sval: string } }[] } }[]
  if (!/^\s*language plpgsql/im.test(text)) return [body?.List.items[0]?.String.sval ?? '']
  return valuesOf(parsePlPgSQLSync(text), 'query')
    .map(String)
    .map((query) =>
      /^\s*(select|insert|update|delete|with)\b/i.test(query) ? query : `select ${assigned(query)}`,
    )
}

const assigned = (query: string) => query.replace(/^\s*\w+\s*:=/, '')

/** All values of a key in a tree; of an option of a function, its argument. */
function valuesOf(value: unknown, key: string): unknown[] {
  if (Array.isArray(value)) return value.flatMap((item) => valuesOf(item, key))
  if (typeof value !== 'object' || value === null) return []
  const fields = value as Record<string, unknown>
  if (fields.defname === key) return [fields.arg]
  return Object.entries(fields).flatMap(([name, child]) =>
    name === key && typeof child === 'string' ? [child] : valuesOf(child, key),
  )
}

/** The violations of the whole project, without the exceptions, and the exceptions that nothing needs. */
export function checkStatements(root: string): string[] {
  const read = (file: string) => readFileSync(join(root, file), 'utf8')
  const files = (pattern: string) =>
    globSync(pattern, { cwd: root })
      .map((path) => path.replaceAll('\\', '/'))
      .sort()
  const shopTables = readShopTables(read('db/schema.sql'))
  const found = [
    ...files('{api,worker,shared,db}/**/*.ts').flatMap((file) =>
      violationsOfFile(file, read(file), shopTables),
    ),
    ...files('shared/domain/**/functions/*.sql').flatMap((file) =>
      violationsOfFunction(file, read(file), shopTables),
    ),
  ]
  const used = new Set<string>()
  const left = found.filter(({ file, table }) => {
    const exception = exceptions.find((rule) => rule.file === file && rule.tables.includes(table))
    if (exception) used.add(`${file} ${table}`)
    return !exception
  })
  const unused = exceptions.flatMap(({ file, tables }) =>
    tables
      .filter((table) => !used.has(`${file} ${table}`))
      .map((table) => `${file}: ${table} needs no exception`),
  )
  return [...new Set(left.map(({ file, line, text }) => `${file}:${line} ${text}`)), ...unused]
}
