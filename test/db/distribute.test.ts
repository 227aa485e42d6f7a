import { readFileSync } from 'node:fs'
import type pg from 'pg'
import t from 'tap'
import {
  type Catalogue,
  classOf,
  distribution,
  type ForeignKey,
  faultsOf,
  readCatalogue,
  type Table,
} from '../../db/distribute.ts'
import { withClient } from '../../dev/postgres/database.ts'
import { readShopTables } from '../../dev/statements/find-violations.ts'
import { shopTables } from '../../shared/domain/records/shops/shop-tables.ts'
import { createDatabase, testEnvironment } from '../support/core/database.ts'
import { runCommand } from '../support/core/processes.ts'

t.test('each table of the schema has its place in a cluster, and Citus could distribute all', async (t) => {
  const catalogue = await withClient(await createDatabase(), readCatalogue)
  // a table of a shop needs shop_id in each primary key, unique key and reference to another table of a shop
  t.strictSame(faultsOf(catalogue), [])
  const of = (wanted: string) =>
    catalogue.tables.filter((table) => classOf(table) === wanted).map(({ name }) => name)
  t.strictSame(of('reference'), ['shop'])
  t.strictSame(of('local'), [
    'job_crash',
    'job_run',
    'oauth_state',
    'schedule_slot',
    'schema_function',
    'schema_migration',
    'worker_instance',
  ])
  t.strictSame(of('distributed'), shopTables.filter((name) => name !== 'job_run').sort())
  const schema = readFileSync(new URL('../../db/schema.sql', import.meta.url), 'utf8')
  t.strictSame(
    of('distributed'),
    [...readShopTables(schema)].sort(),
    'the rules of statements know these tables',
  )
})

/** Two functions of Citus and its catalogue. They check what Citus checks: no trigger, and no reference to an undistributed table. */
const citus = `
  create schema citus;
  set search_path = public, citus;
  create table citus.pg_dist_partition (logicalrelid regclass primary key, colocation text not null);
  create function citus.take(name text, colocation text) returns void language plpgsql as $$
  begin
    if exists (select from pg_trigger where tgrelid = name::regclass and not tgisinternal) then
      raise exception 'triggers are not supported on distributed tables: %', name;
    end if;
    if exists (
      select from pg_constraint
      where contype = 'f' and (conrelid = name::regclass or confrelid = name::regclass)
        and confrelid <> all(select logicalrelid from pg_dist_partition)
    ) then
      raise exception 'a foreign key of % refers to a table that is not distributed', name;
    end if;
    insert into pg_dist_partition values (name::regclass, colocation);
  end
  $$;
  create function citus.create_reference_table(name text) returns void language sql as $$ select take(name, '') $$;
  create function citus.create_distributed_table(name text, key text, colocate_with text) returns void language plpgsql as $$
  begin
    if colocate_with <> 'none' and not exists (
      select from pg_dist_partition where logicalrelid = colocate_with::regclass and colocation <> ''
    ) then
      raise exception '% is not distributed', colocate_with;
    end if;
    perform take(name, case colocate_with when 'none' then name else colocate_with end);
  end
  $$;
`

async function placesOf(client: pg.Client) {
  const { rows } = await client.query<{ name: string; colocation: string }>(
    'select logicalrelid::text as name, colocation from pg_dist_partition order by 1',
  )
  return rows
}

t.test('the printed statements run in their order and leave the foreign keys as they were', async (t) => {
  await withClient(await createDatabase(), async (client) => {
    const before = await readCatalogue(client)
    await client.query(citus)
    const statements = distribution(before)
    for (const statement of statements) await client.query(statement)

    const after = await readCatalogue(client)
    t.strictSame(after.foreignKeys, before.foreignKeys)
    const places = await placesOf(client)
    t.equal(places.length, shopTables.length, 'all tables of shops but job_run, and shop')
    t.equal(new Set(places.filter(({ name }) => name !== 'shop').map(({ colocation }) => colocation)).size, 1)

    t.strictSame(distribution(after), [], 'a second run has nothing to do')

    t.comment('a migration adds a table')
    await client.query(
      'create table pallet (shop_id bigint references shop, id bigint, primary key (shop_id, id))',
    )
    const [first] = places
    t.strictSame(distribution(await readCatalogue(client)), [
      'alter table "pallet" drop constraint "pallet_shop_id_fkey";',
      `select create_distributed_table('pallet', 'shop_id', colocate_with => '${first?.name}');`,
      'alter table "pallet" add constraint "pallet_shop_id_fkey" FOREIGN KEY (shop_id) REFERENCES shop(id);',
    ])
  })
})

t.test('the command prints the statements of the database', async (t) => {
  const url = await createDatabase()
  const run = () => runCommand('db/distribute.ts', testEnvironment(url))
  const { stdout, status } = run()
  t.equal(status, 0)
  const catalogue = await withClient(url, readCatalogue)
  t.equal(stdout, `${distribution(catalogue).join('\n')}\n`)

  await withClient(url, (client) => client.query('alter table supplier add unique (id)'))
  const refused = run()
  t.equal(refused.status, 1)
  t.equal(refused.stdout, '')
  t.match(refused.stderr, 'supplier has the key (id), which does not contain shop_id')
})

t.test('what Citus cannot distribute is named', (t) => {
  const table = (name: string, more: Partial<Table> = {}): Table => ({
    name,
    hasShop: true,
    isKnown: false,
    keys: [['shop_id', 'id']],
    triggers: [],
    ...more,
  })
  const key = (more: Partial<ForeignKey>): ForeignKey => ({
    name: 'fk',
    table: 'pallet',
    target: 'shelf',
    columns: ['shop_id', 'shelf_id'],
    targetColumns: ['shop_id', 'id'],
    definition: '',
    ...more,
  })
  const faults = (tables: Table[], foreignKeys: ForeignKey[] = []) =>
    faultsOf({ tables, foreignKeys } satisfies Catalogue)
  const places = [
    table('pallet'),
    table('shelf'),
    table('shop', { hasShop: false }),
    table('slot', { hasShop: false }),
  ]
  t.strictSame(
    faults(places, [key({}), key({ target: 'shop', columns: ['shop_id'], targetColumns: ['id'] })]),
    [],
  )
  t.strictSame(faults([table('pallet', { keys: [['shop_id', 'id'], ['gid']] })]), [
    'pallet has the key (gid), which does not contain shop_id',
  ])
  t.strictSame(faults([table('pallet', { keys: [] })]), ['pallet has no primary key'])
  t.strictSame(faults([table('pallet', { triggers: ['stamp'] })]), [
    'pallet has the trigger stamp: Citus has no triggers on distributed tables',
  ])
  for (const wrong of [
    key({ columns: ['shelf_id'], targetColumns: ['id'] }),
    key({ columns: ['shelf_id', 'shop_id'] }),
    key({ target: 'slot' }),
    key({ table: 'slot' }),
    key({ table: 'shop' }),
  ])
    t.match(faults(places, [wrong]), [/ refers to .+ by fk: Citus takes references to shop/])
  t.end()
})
