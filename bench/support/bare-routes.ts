import { escapeLiteral } from 'pg'
import type { DatabasePool, Db } from '../../shared/db/db.ts'
import { setStock } from '../../shared/domain/ledgers/stock/bulk.ts'
import type { BareRead, BareWrite, Statement } from '../baselines/api-server.ts'
import type { LoadRequest } from './load.ts'
import { record } from './recording.ts'
import type { BenchShop } from './system.ts'

/** A read request of the admin, and the domain function that serves it. */
export type Read = {
  what: string
  path: string
  isList: boolean
  /** Fields that web computes from the others: the bare route returns their values without computing them. */
  computed?: readonly string[]
  work: (db: Db, shopId: number) => Promise<unknown>
}

type ResponseBody = { data: Record<string, unknown> | Record<string, unknown>[] }

/**
 * Wraps the statement of a read so that it returns the fields of the response body. A bare route then only runs it.
 */
export async function toBareRead(
  db: DatabasePool,
  { shopId }: BenchShop,
  { path, isList, computed = [], work }: Read,
  { data }: ResponseBody,
): Promise<BareRead> {
  const [statement, ...others] = await record(db, (recording) => work(recording, shopId))
  if (!statement || others.length > 0) throw new Error(`${path} is not one statement`)
  const [first = {}] = [data].flat()
  const columnOf = (field: string, value: unknown) =>
    computed.includes(field) ? `${escapeLiteral(JSON.stringify(value))}::jsonb` : toColumn(field)
  const fields = Object.entries(first).map(([field, value]) => `${columnOf(field, value)} as "${field}"`)
  return {
    path,
    isList,
    text: `select ${fields} from (${statement.text}) response`,
    values: statement.values,
  }
}

const toColumn = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export type Write = { own: LoadRequest; bare: BareWrite }

/**
 * Sets every level to one quantity and then another. Returns each request with the statements that it sends to
 * Postgres.
 */
export async function recordWrites(
  db: DatabasePool,
  { shopId }: BenchShop,
  path: string,
  ids: { variantIds: readonly string[]; locationId: string },
): Promise<Write[]> {
  const writes: Write[] = []
  for (const quantity of [1_000, 1_001]) {
    for (const variantId of ids.variantIds) {
      const input = { adjustments: [{ variantId, locationId: ids.locationId, quantity }] }
      let data: unknown
      const statements: Statement[] = await record(db, async (recording) => {
        data = await setStock(recording, shopId, 'bench', input)
      })
      writes.push({
        own: { method: 'PUT', path, body: JSON.stringify(input) },
        bare: { path: `/${writes.length}`, statements, body: JSON.stringify({ success: true, data }) },
      })
    }
  }
  return writes
}
