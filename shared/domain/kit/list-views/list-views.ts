import { UniqueIntegrityConstraintViolationError } from 'slonik'
import { type Db, row, sql } from '../../../db/db.ts'
import { conflict, notFound } from '../../../errors.ts'
import {
  ListView,
  type ListViewFilter,
  type ListViewInput,
  type ListViewPatch,
} from '../../../schemas/list-views.ts'
import type { Page } from '../pages/pages.ts'

/** Views of one list of the admin; all fit one page. */
const maxViews = 50

const columns = (table: string) => {
  const v = sql.identifier([table])
  return sql.fragment`
    ${v}.id, ${v}.list, ${v}.name, ${v}.state ->> 'query' as query, nullif(${v}.state -> 'columns', 'null') as columns,
    ${v}.created_by, ${v}.created_at, ${v}.updated_at
  `
}

/** All views of a list, by name. */
export async function listListViews(
  db: Db,
  shopId: number,
  { list }: ListViewFilter,
): Promise<Page<ListView>> {
  const records = await db.any(sql.type(row(ListView))`
    select ${columns('list_view')} from list_view where shop_id = ${shopId} and list = ${list} order by lower(name), id
  `)
  return { records, next: null }
}

/** Throws view_name_taken and too_many_views. */
export async function createListView(
  db: Db,
  shopId: number,
  actor: string,
  { list, name, query, columns: shown }: ListViewInput,
): Promise<ListView> {
  const at = new Date().toISOString()
  const view = await withFreeName(() =>
    db.maybeOne(sql.type(row(ListView))`
      insert into list_view (shop_id, list, name, state, created_by, created_at, updated_at)
      select ${shopId}::bigint, ${list}, ${name}, ${stateOf(query, shown)}, ${actor}, ${at}::timestamptz, ${at}::timestamptz
      where (select count(*) from list_view where shop_id = ${shopId} and list = ${list}) < ${maxViews}
      returning ${columns('list_view')}
    `),
  )
  if (view) return view
  throw conflict(`This list has ${maxViews} views already. Delete one first.`, 'too_many_views')
}

/** Changes the given fields; `updatedAt` stays when nothing changes. Throws not_found and view_name_taken. */
export async function updateListView(
  db: Db,
  shopId: number,
  id: number,
  { name, query, columns: shown }: ListViewPatch,
): Promise<ListView> {
  const patch = JSON.stringify({ query, columns: shown })
  const view = await withFreeName(() =>
    db.maybeOne(sql.type(row(ListView))`
      update list_view v
      set name = coalesce(${name ?? null}, v.name), state = v.state || ${patch}::jsonb, updated_at = case
        when (v.name, v.state) is distinct from (coalesce(${name ?? null}, v.name), v.state || ${patch}::jsonb)
          then ${new Date().toISOString()}::timestamptz
        else v.updated_at
      end
      where v.shop_id = ${shopId} and v.id = ${id}
      returning ${columns('v')}
    `),
  )
  if (view) return view
  throw notFound('View')
}

/** Throws not_found. */
export async function deleteListView(db: Db, shopId: number, id: number): Promise<{ message: string }> {
  const deleted = await db.maybeOne(sql.typeAlias('id')`
    delete from list_view where shop_id = ${shopId} and id = ${id} returning id
  `)
  if (!deleted) throw notFound('View')
  return { message: 'View deleted.' }
}

const stateOf = (query: string, shown: readonly string[] | null) =>
  sql.fragment`${JSON.stringify({ query, columns: shown })}::jsonb`

async function withFreeName<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!(error instanceof UniqueIntegrityConstraintViolationError)) throw error
    throw conflict('This list has a view with this name already. Choose another name.', 'view_name_taken')
  }
}
