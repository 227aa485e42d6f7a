import pg from 'pg'
import { databaseAddress } from '../shared/config.ts'
import { readConfig } from '../shared/process.ts'

/*
 * `npm run distribute` prints the statements that distribute the tables over the machines of a Citus cluster
 * (docs/operations.md, "Many machines"). They follow from the catalogue of the database, so a table of a later migration is among
 * them, and a table that is distributed already is not.
 */

/** Every machine has a copy of these tables. */
const referenceTables: readonly string[] = ['shop']

/** Tables of shops that stay on the coordinator, because their keys do not contain the shop. */
const localShopTables: readonly string[] = ['job_run']

export type Table = {
  name: string
  hasShop: boolean
  /** Whether Citus has it already. */
  isKnown: boolean
  /** The columns of each primary key, unique key, unique index and exclusion constraint. */
  keys: readonly (readonly string[])[]
  triggers: readonly string[]
}

export type ForeignKey = {
  name: string
  table: string
  target: string
  columns: readonly string[]
  targetColumns: readonly string[]
  definition: string
}

export type Catalogue = { tables: readonly Table[]; foreignKeys: readonly ForeignKey[] }

export type TableClass = 'reference' | 'distributed' | 'local'

export function classOf({ name, hasShop }: Pick<Table, 'name' | 'hasShop'>): TableClass {
  if (referenceTables.includes(name)) return 'reference'
  return hasShop && !localShopTables.includes(name) ? 'distributed' : 'local'
}

/** Why Citus would refuse to distribute the tables; empty when it can. */
export function faultsOf({ tables, foreignKeys }: Catalogue): string[] {
  const classes = new Map(tables.map((table) => [table.name, classOf(table)]))
  const ofTables = tables
    .filter((table) => classOf(table) === 'distributed')
    .flatMap(({ name, keys, triggers }) => [
      ...(keys.length === 0 ? [`${name} has no primary key`] : []),
      ...keys
        .filter((columns) => !columns.includes('shop_id'))
        .map((columns) => `${name} has the key (${columns.join(', ')}), which does not contain shop_id`),
      ...triggers.map(
        (trigger) => `${name} has the trigger ${trigger}: Citus has no triggers on distributed tables`,
      ),
    ])
  const ofKeys = foreignKeys
    .filter((key) => {
      const [from, to] = [classes.get(key.table), classes.get(key.target)]
      if (to === 'reference') return false
      return from !== to || (to === 'distributed' && !isColocated(key))
    })
    .map(
      ({ name, table, target }) =>
        `${table} (${classes.get(table)}) refers to ${target} (${classes.get(target)}) by ${name}: Citus takes references to shop, and references of tables of shops to each other by shop_id`,
    )
  return [...ofTables, ...ofKeys]
}

const isColocated = ({ columns, targetColumns }: ForeignKey) =>
  columns.some((column, index) => column === 'shop_id' && targetColumns[index] === 'shop_id')

/** The statements for the tables that Citus does not have yet, in the order in which they must run. */
export function distribution({ tables, foreignKeys }: Catalogue): string[] {
  const fresh = inOrder(tables, foreignKeys).filter((table) => !table.isKnown && classOf(table) !== 'local')
  const names = new Set(fresh.map(({ name }) => name))
  const first = tables.find((table) => table.isKnown && classOf(table) === 'distributed')?.name
  const distributed = fresh.filter((table) => classOf(table) === 'distributed').map(({ name }) => name)
  // the keys come back when both sides are distributed
  const keys = foreignKeys.filter(({ table, target }) => names.has(table) || names.has(target))
  return [
    ...keys.map(({ name, table }) => `alter table ${quoted(table)} drop constraint ${quoted(name)};`),
    ...fresh
      .filter((table) => classOf(table) === 'reference')
      .map(({ name }) => `select create_reference_table('${name}');`),
    ...distributed.map(
      (name) =>
        `select create_distributed_table('${name}', 'shop_id', colocate_with => '${colocation(name, first ?? distributed[0])}');`,
    ),
    ...keys.map(
      ({ name, table, definition }) =>
        `alter table ${quoted(table)} add constraint ${quoted(name)} ${definition};`,
    ),
  ]
}

const colocation = (name: string, first: string | undefined) => (first === name || !first ? 'none' : first)

/** Tables after those that they refer to. */
function inOrder(tables: readonly Table[], foreignKeys: readonly ForeignKey[]): Table[] {
  const byName = new Map(tables.map((table) => [table.name, table]))
  const done = new Set<Table>()
  const add = (table: Table, path: readonly Table[]): void => {
    if (done.has(table) || path.includes(table)) return
    for (const { table: name, target } of foreignKeys) {
      const referred = name === table.name ? byName.get(target) : undefined
      if (referred) add(referred, [...path, table])
    }
    done.add(table)
  }
  for (const table of tables) add(table, [])
  return [...done]
}

const quoted = (name: string) => pg.escapeIdentifier(name)

export async function readCatalogue(client: pg.Client): Promise<Catalogue> {
  const { rows: citus } = await client.query<{ name: string | null }>(
    `select to_regclass('pg_dist_partition')::text as name`,
  )
  const known = citus[0]?.name
    ? 'exists (select from pg_dist_partition d where d.logicalrelid = c.oid)'
    : 'false'
  const { rows: tables } = await client.query<Table>(`
    select c.relname as name, ${known} as "isKnown",
      exists (
        select from pg_attribute a where a.attrelid = c.oid and a.attname = 'shop_id' and not a.attisdropped
      ) as "hasShop",
      coalesce((
        select json_agg((
          select coalesce(json_agg(a.attname order by a.attnum), '[]')
          from pg_attribute a
          where a.attrelid = c.oid and a.attnum = any(i.indkey::int2[])
        ) order by i.indexrelid)
        from pg_index i
        where i.indrelid = c.oid and (i.indisunique or i.indisexclusion)
      ), '[]') as keys,
      coalesce((
        select json_agg(g.tgname order by g.tgname) from pg_trigger g where g.tgrelid = c.oid and not g.tgisinternal
      ), '[]') as triggers
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by c.relname
  `)
  const { rows: foreignKeys } = await client.query<ForeignKey>(`
    select k.conname as name, c.relname as "table", f.relname as target, pg_get_constraintdef(k.oid) as definition,
      (
        select json_agg(a.attname order by x.place)
        from unnest(k.conkey) with ordinality as x (attnum, place)
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = x.attnum
      ) as columns,
      (
        select json_agg(a.attname order by x.place)
        from unnest(k.confkey) with ordinality as x (attnum, place)
        join pg_attribute a on a.attrelid = k.confrelid and a.attnum = x.attnum
      ) as "targetColumns"
    from pg_constraint k
    join pg_class c on c.oid = k.conrelid
    join pg_class f on f.oid = k.confrelid
    where k.contype = 'f' and k.connamespace = 'public'::regnamespace
    order by c.relname, k.conname
  `)
  return { tables, foreignKeys }
}

if (import.meta.main) {
  const { url, ssl } = databaseAddress(readConfig(process.env, 'web'))
  const client = new pg.Client({ connectionString: url, ssl })
  await client.connect()
  try {
    const catalogue = await readCatalogue(client)
    const faults = faultsOf(catalogue)
    for (const fault of faults) process.stderr.write(`${fault}\n`)
    if (faults.length > 0) process.exitCode = 1
    else for (const statement of distribution(catalogue)) process.stdout.write(`${statement}\n`)
  } finally {
    await client.end()
  }
}
