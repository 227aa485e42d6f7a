import pg from 'pg'
import { type FunctionFile, readFunctionFiles } from '../shared/db/function-files.ts'
import { roomOf, rooms } from '../shared/domain/floors.ts'

/** The functions whose text is not the one that was applied last, in the order of the rooms: a function may call those before it. */
export async function changedFunctions(client: pg.Client): Promise<FunctionFile[]> {
  const { rows } = await client.query<{ name: string; hash: string }>(
    'select distinct on (name) name, hash from schema_function order by name, applied_at desc',
  )
  const applied = new Map(rows.map(({ name, hash }) => [name, hash]))
  const files = await readFunctionFiles()
  return files
    .filter(({ name, hash }) => applied.get(name) !== hash)
    .sort((a, b) => placeOf(a) - placeOf(b) || (a.path < b.path ? -1 : 1))
}

function placeOf({ path }: FunctionFile): number {
  const found = roomOf(path)
  return found ? rooms.indexOf(`${found.floor}/${found.room}`) : -1
}

/** Creates or replaces a function and stores its hash. Throws when its parameters or its result have changed: the release before uses the old ones. */
export async function applyFunction(
  client: pg.Client,
  { name, path, text, hash }: FunctionFile,
): Promise<void> {
  try {
    await client.query(text)
  } catch (error) {
    // the release before reads the columns of the result, too
    if (error instanceof pg.DatabaseError && error.code === '42P13')
      throw new Error(
        `${path} has another result than before, or other names of parameters: give it a new name`,
        { cause: error },
      )
    throw error
  }
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_proc where proname = $1 and pronamespace = current_schema()::regnamespace`,
    [name],
  )
  if (rows[0]?.count !== 1) throw new Error(`${path} has other parameters than before: give it a new name`)
  await client.query(
    `insert into schema_function (name, hash) values ($1, $2)
    on conflict (name, hash) do update set applied_at = now()`,
    [name, hash],
  )
}
