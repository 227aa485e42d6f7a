// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are code that the rules read
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { exceptions } from '../../dev/statements/exceptions.ts'
import {
  checkStatements,
  readShopTables,
  violationsOfFile,
  violationsOfFunction,
} from '../../dev/statements/find-violations.ts'
import { readTemplates } from '../../dev/statements/read-templates.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const shopTables = readShopTables(readFileSync(new URL('../../db/schema.sql', import.meta.url), 'utf8'))

t.test('each statement of the code follows the rules of docs/operations.md, "Many machines"', async (t) => {
  // a message names the file, the line, the table and the missing condition
  t.strictSame(checkStatements(root), [])
  for (const { file, why } of exceptions) t.match(why, /^[A-Z].+\.$/, `${file} says why it is an exception`)
})

/** Of code with one statement. */
const violationsIn = (template: string, rest = '') =>
  violationsOfFile('a.ts', `${rest}\nconst a = ${template}\n`, shopTables).map(({ text }) => text)
const statement = (text: string, rest = '') => violationsIn(`sql.typeAlias('void')\`${text}\``, rest)
const fragment = (text: string) => violationsIn(`sql.fragment\`${text}\``)

const missing = (name: string, column = '') =>
  `${name} has no condition "${column}shop_id = \${shopId}" of its own`
const shop = `\${shopId}`

t.test('every table needs a condition on the shop of its own', async (t) => {
  const valid = [
    `select id from variant where shop_id = ${shop}`,
    `select id from variant where shop_id = any(\${sql.array([...shopIds], 'int8')})`,
    `select id from variant where shop_id = ${shop}::bigint and id = \${id}`,
    `select from variant v join product p on p.shop_id = ${shop} and p.id = v.product_id where v.shop_id = ${shop}`,
    `select from variant v left join product p on p.shop_id = ${shop} and p.id = v.product_id where v.shop_id = ${shop}`,
    `select from product p right join variant v on p.shop_id = ${shop} where v.shop_id = ${shop}`,
    `with variant as (select 1) select from variant`,
    `select from graphile_worker.jobs`,
    `select from shop where domain = \${domain}`,
    `update variant v set title = '' from product p where v.shop_id = ${shop} and p.shop_id = ${shop}`,
    `delete from variant where \${sql.and([sql.fragment\`shop_id = ${shop}\`, id && sql.fragment\`id = 1\`])}`,
    `insert into velocity_run (shop_id) values (${shop})`,
    `select from job_run where shop_id is not null`,
  ]
  for (const text of valid) t.strictSame(statement(text), [], text)
  const invalid: [string, ...string[]][] = [
    ['select id from variant', missing('variant')],
    ['select id from variant where shop_id = ${id}', missing('variant')],
    [`select id from variant where shop_id = ${shop} or id = 1`, missing('variant')],
    [
      `select from variant v join product p on p.shop_id = v.shop_id where v.shop_id = ${shop}`,
      missing('product p', 'p.'),
    ],
    [
      `select from variant v join product p using (shop_id) where v.shop_id = ${shop}`,
      missing('product p', 'p.'),
    ],
    // the condition of an outer join keeps the rows of the other shops
    [
      `select from variant v left join product p on v.shop_id = ${shop} and p.shop_id = ${shop}`,
      missing('variant v', 'v.'),
    ],
    [
      `select from variant v cross join lateral (select from sale s where s.shop_id = v.shop_id) x where v.shop_id = ${shop}`,
      missing('sale s', 's.'),
    ],
    [`select (select count(*) from sale) from variant where shop_id = ${shop}`, missing('sale')],
    [`with x as materialized (select * from sale) select from x`, missing('sale')],
    [`with variant as (select * from variant) select from variant`, missing('variant')],
    [`select from variant where shop_id = ${shop} union all select from product`, missing('product')],
    [
      `update variant v set title = '' from product p where v.shop_id = ${shop} and p.id = v.product_id`,
      missing('product p', 'p.'),
    ],
    [`delete from variant v using product p where p.shop_id = ${shop}`, missing('variant v', 'v.')],
    ['insert into velocity_run (ran_at) values (now())', 'an INSERT into velocity_run does not name shop_id'],
    ['select from ${sql.identifier([table])} t', missing('unknown_name t', 't.')],
  ]
  for (const [text, ...texts] of invalid) t.strictSame(statement(text), texts, text)
  t.strictSame(fragment('join product p on p.shop_id = v.shop_id'), [missing('product p', 'p.')])
  t.strictSame(fragment('x as (select from product p), y as (select 1)'), [missing('product p', 'p.')])
  t.strictSame(fragment(`exists (select from product p where p.shop_id = ${shop})`), [])
})

t.test('a piece of SQL counts where it is used', async (t) => {
  const piece = `const isShown = sql.fragment\`v.shop_id = ${shop}\``
  t.strictSame(statement('select from variant v where ${isShown}', piece), [])
  t.strictSame(statement('select from variant v where ${isShown}'), [missing('variant v', 'v.')])
  const twice = `${piece}\n{ const isShown = sql.fragment\`true\` }`
  t.strictSame(statement('select from variant v where ${isShown}', twice), [missing('variant v', 'v.')])
  const id = 'function a(shopId: Fragment) {}'
  t.strictSame(statement(`select from variant where shop_id = ${shop}`, id), [missing('variant')])
  t.strictSame(statement('select 1 from'), [
    'the parser of Postgres does not understand it: syntax error at end of input',
  ])
})

t.test('a write takes its instants and uuids from outside', async (t) => {
  const upsert = (assigned: string) =>
    `insert into velocity_run as r (shop_id, ran_at) values (${shop}, now()) on conflict (shop_id) do update set ${assigned}`
  t.strictSame(statement(upsert('ran_at = excluded.ran_at')), [])
  for (const name of ['now', 'clock_timestamp', 'gen_random_uuid'])
    t.strictSame(statement(upsert(`ran_at = ${name}()`)), [
      `ON CONFLICT DO UPDATE has ${name}(): take the value from "excluded" or a parameter`,
    ])
  t.match(statement(upsert('ran_at = excluded.ran_at where r.ran_at < current_timestamp')), [
    /^ON CONFLICT DO UPDATE has current_timestamp/,
  ])
  const update = (value: string) => `update variant set updated_at = ${value} where shop_id = ${shop}`
  t.strictSame(statement(update('now()')), [])
  t.strictSame(statement(update('case when ${isSold} then ${at} end')), [])
  for (const value of ["case when title = '' then now() end", 'coalesce(updated_at, now())'])
    t.strictSame(statement(update(value)), [
      'a CASE or COALESCE of an UPDATE has now(): pass the value as a parameter',
    ])
  for (const name of ['clock_timestamp', 'gen_random_uuid'])
    t.strictSame(statement(update(`${name}()`)), [`an UPDATE has ${name}(): pass the value as a parameter`])
  t.strictSame(statement('update worker_instance set started_at = clock_timestamp()'), [])
  // a fragment may be a part of an UPDATE
  t.match(fragment('updated_at = coalesce(updated_at, now())'), [/^a CASE or COALESCE of an UPDATE has now/])
})

t.test('other forms that Citus refuses or runs wrongly', async (t) => {
  t.strictSame(
    statement(`update variant set title = case sku when '' then 'a' end where shop_id = ${shop}`),
    ['an UPDATE has "case x when y": write "case when x = y"'],
  )
  t.strictSame(statement(`select case sku when '' then 'a' end from variant where shop_id = ${shop}`), [])
  const lock = 'it locks a row of shop: lock the row of shop_credential instead'
  t.strictSame(statement(`select from shop where id = ${shop} for share`), [lock])
  t.strictSame(
    statement(
      `select from shop where id = ${shop} \${isEnding ? sql.fragment\`for update\` : sql.fragment\`\`}`,
    ),
    [lock],
  )
  const joined = `select from shop s join variant v on v.shop_id = ${shop} where s.id = ${shop} for update of`
  t.strictSame(statement(`${joined} v`), [])
  t.strictSame(statement(`${joined} s`), [lock])
  t.strictSame(statement(`select graphile_worker.add_job('a', '{}') from variant where shop_id = ${shop}`), [
    'it adds jobs and reads tables of shops: read first, then add the jobs in a statement of their own',
  ])
})

t.test('the body of a function is read too', async (t) => {
  const body = (text: string) => `CREATE FUNCTION f(in_shop bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $$
declare
  found bigint;
begin
  if exists (select from variant where shop_id = in_shop) then
    ${text};
  end if;
end
$$`
  const violationsOf = (text: string) =>
    violationsOfFunction('f.sql', body(text), shopTables).map((violation) => violation.text)
  t.strictSame(violationsOf('found := (select count(*) from variant where shop_id = in_shop)'), [])
  t.strictSame(violationsOf('perform from product'), [missing('product')])
  t.strictSame(violationsOf('found := (select count(*) from product)'), [missing('product')])
  t.match(violationsOf('update variant set updated_at = clock_timestamp() where shop_id = in_shop'), [
    /^an UPDATE has clock_timestamp/,
  ])
})

t.test('the reader finds every kind of template', async (t) => {
  const code = [
    'db.any(sql.type(row(Type.Object({ id: Id })))`select 1`)',
    "db.query(sql.typeAlias('void')`select ${isOpen ? sql.fragment`2` : sql.fragment`3`}`)",
    'const a = (name: string): Fragment => sql.fragment`${sql.identifier([name])}.id`',
    // a tag that wraps sql.fragment
    'const column = text`t.${name}`',
    'const page = html`<p>${name}</p>`',
  ].join('\n')
  t.strictSame(
    readTemplates('a.ts', code).map(({ line, isFragment }) => [line, isFragment]),
    [
      [1, false],
      [2, false],
      [2, true],
      [2, true],
      [3, true],
      [4, true],
    ],
  )
  t.strictSame(violationsIn('text`(select count(*) from sale s where s.shop_id = t.shop_id)`'), [
    missing('sale s', 's.'),
  ])
  t.ok(shopTables.size > 75)
})
